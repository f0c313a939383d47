/** How a program reads programs from its arguments. */
export type Interpreter = {
  /** Options whose value is a program text, or names one. */
  code?: RegExp
  /** Options with another value. */
  values?: RegExp
  /** Options whose values reach the program as plain text, and their number. */
  plain?: [RegExp, number]
  /** Operands before the program, such as `run`. */
  subcommands?: RegExp
  /** Options after which each operand is program text, or a file that may be one; `true` without such an option. */
  all?: RegExp | true
  /** Operands are never programs. Otherwise the first operand is one, unless an option gave it. */
  isFree?: boolean
  /** Options may follow operands. */
  permutes?: boolean
}

const evaluates = /^-{1,2}(c|e|E|l|L|p|r|x|s|ex|eval|exec|execute|expr|expression|load|print|run|script|command|batch-string)$/

/** Sources: the manual pages, and POSIX.1-2024 for sh, awk and sed. A shell that gets `-c` reads its first operand as program. */
const interpreters: [RegExp, Interpreter][] = [
  [
    /^(ba|da|z|k|mk|ok|pdk|ya|c|tc|fi|a|xon|rba|o|y)?sh$|^(nu|elvish|rc|es)$/,
    { values: /^[-+]\w*[oO]$|^-C$|^--(rcfile|init-file|init-command)$/ },
  ],
  [/^(python|pypy|ipython|jython|micropython)$/, { code: /^-[A-Za-z]*[cm]$/, values: /^-[WXQ]$|^--check-hash-based-pycs$/ }],
  [
    /^(node|nodejs|tsx|ts-node|qjs|deno|bun)$/,
    {
      code: /^-[pe]+$|^--(eval|print|run)$/,
      subcommands: /^(run|eval|exec|x|task)$/,
      values: /^-[rC]$|^--(require|import|loader|experimental-loader|conditions|input-type|env-file(-if-exists)?|title)$/,
    },
  ],
  // With -n or -p each operand is opened, and perl runs an operand that ends in a pipe.
  [/^(perl|raku)$/, { code: /^-\w*[eE]$/, values: /^-[IMm]$/, all: /^-\w*[np]/ }],
  [/^(ruby|jruby|crystal)$/, { code: /^-\w*e$/, values: /^-[rICEKx]$/, all: /^-\w*[np]/ }],
  [/^php$/, { code: /^-[rBREfF]$|^--(run|file|process-\w+)$/, values: /^-[dczSt]$/ }],
  [
    /^(lua|luajit|tclsh|wish|expect|gnuplot|octave|matlab|r|rscript|julia|elixir|iex|erl|groovy|scala|swift|osascript)$/,
    { code: evaluates },
  ],
  [
    /^(ghc|ghci|runghc|ocaml|guile|racket|sbcl|clisp|clojure|clj|bb|emacs|vim?|nvim|ex|ed|gdb|lldb)$/,
    { code: evaluates, permutes: true },
  ],
  [/^[gmn]?awk$/, { code: /^-[feil]$|^--(file|source|include|load|exec)$/, plain: [/^-[Fv]$|^--(assign|field-separator)$/, 1] }],
  [/^g?sed$/, { code: /^-[nrEsuz]*[ef]$|^--(expression|file)$/, permutes: true }],
  [/^(jq|gojq|jaq)$/, { code: /^-\w*f$|^--from-file$|^-L$/, plain: [/^--(arg|argjson)$/, 2], permutes: true }],
  [/^(yq|xq|mlr|dasel|fx)$/, { code: /^-f$|^--(from-file|expression)$/, permutes: true }],
  // Both run commands that their input names; `m` is m4.
  [/^(dc|m)$/, { code: evaluates }],
  [/^(bc|su|runuser|script|flock|nix-shell|npx|npm|pnpm|yarn)$/, { code: evaluates, isFree: true, permutes: true }],
  [/^(sqlite|duckdb|psql|mysql|mariadb|mongosh|redis-cli|clickhouse(-client)?)$/, { all: true }],
  [
    /^(ssh|rsh|mosh|watch|parallel|entr|eval|at|tmux|screen|source|g?make|just|cmd|wscript|cscript|pwsh|powershell)$/,
    { all: true },
  ],
]

/** Programs that start the program named in their arguments. */
const wrappers = new RegExp(
  `^(${[
    'busybox|toybox|env|sudo|doas|su|runuser|pkexec|nice|ionice|chrt|taskset|stdbuf|g?time|g?timeout|nohup|setsid|setarch|unshare',
    'nsenter|chroot|strace|xargs|find|flock',
    'docker|podman|kubectl|flatpak|firejail|bwrap|wsl|systemd-run',
    'npx|bunx|uvx|uv|pipx|poetry|bundle|mise|direnv|nix',
  ].join('|')})$`,
)

/** Returns the plain name of a program: `/usr/bin/python3.12` and `python.exe` are `python`. */
const nameOf = (program: string): string =>
  (program.split(/[\\/]/).at(-1) ?? '')
    .toLowerCase()
    .replace(/\.(exe|cmd|bat|com)$/, '')
    .replace(/[-.]?\d+(\.\d+)*$/, '')

export const isWrapper = (program: string): boolean => wrappers.test(nameOf(program))
export const interpreterOf = (program: string): Interpreter | undefined =>
  interpreters.find(([names]) => names.test(nameOf(program)))?.[1]
