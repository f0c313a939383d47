import type { Table } from '../phrases.ts'

/** Words and signs that people use in every language. */
export const everywhere: Table = {
  fair: 'ok, okay, okey, oki, 👍, 👌, ✅, ✔, ☑, 🆗, 🤝',
  aside: '🙂, 😊, 😀, 😃, 😄, 😁, 🎉, 🚀, 💪',
  thanks: '🙏, thx',
  no: '👎, ❌, 🙅',
  repeated: '👍',
}
