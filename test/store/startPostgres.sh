#!/bin/sh
# Starts a throw-away PostgreSQL for tests and prints its URL on the last line of stdout.
# Usage: TEST_DATABASE_URL=$(sh test/store/startPostgres.sh) npm test
# Installs nothing: needs initdb and pg_ctl in PATH, in $PG_BIN or under /usr/lib/postgresql/<version>/bin.
# Stop it by running the one line that it prints on stderr.
set -eu

bin=${PG_BIN:-}
if [ -z "$bin" ] && command -v initdb >/dev/null 2>&1; then bin=$(dirname "$(command -v initdb)"); fi
if [ -z "$bin" ]; then bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1); fi
if [ -z "$bin" ] || [ ! -x "$bin/initdb" ]; then
  echo "no PostgreSQL found: set PG_BIN to the folder of initdb" >&2
  exit 1
fi

# In memory, where it has two gigabytes to spare: a database is some hundred files, and a busy disk takes a second for them.
place=${TMPDIR:-/tmp}
room=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
if [ -z "${TMPDIR:-}" ] && [ "${room:-0}" -ge 2097152 ] && [ -w /dev/shm ]; then place=/dev/shm; fi
home=$(mktemp -d "$place/postgres.XXXXXX")
# PostgreSQL refuses to run as root.
as=""
if [ "$(id -u)" = 0 ]; then
  chown postgres "$home"
  as="runuser -u postgres --"
fi

cd "$home"
$as "$bin/initdb" --pgdata="$home/data" --username=postgres --auth=trust --encoding=UTF8 --locale=C >"$home/initdb.log" 2>&1 ||
  { cat "$home/initdb.log" >&2; exit 1; }

# Below the range from which the system takes ports of its own (32768 and up), so that nobody is met by chance.
tries=0
while [ "$tries" -lt 20 ]; do
  tries=$((tries + 1))
  port=$((20000 + $(od -An -N2 -tu2 /dev/urandom) % 10000))
  # Nothing here outlives its test: the disk need not be waited for.
  if $as "$bin/pg_ctl" --pgdata="$home/data" --log="$home/server.log" --wait start \
    --options="-p $port -k $home -c listen_addresses=127.0.0.1 -c fsync=off -c deadlock_timeout=20ms" >/dev/null 2>&1; then
    echo "$as $bin/pg_ctl --pgdata=$home/data --silent --mode=immediate stop && rm -rf $home" >&2
    echo "postgres://postgres@127.0.0.1:$port/postgres"
    exit 0
  fi
done
cat "$home/server.log" >&2
exit 1
