#!/usr/bin/env bash
# Runs the tests of the Docker executor and its demo. Uses a private daemon, and an image made from
# this machine's Node. If no daemon can be started, skips the tests.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1

skip() {
  printf 'skipped: the tests of the Docker executor, because %s\n' "$1"
  exit 0
}

[ "$(id -u)" = 0 ] || skip "a private daemon needs root"
if ! command -v dockerd >/dev/null || ! command -v curl >/dev/null; then
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends docker.io curl; } >/dev/null 2>&1 ||
    skip "docker.io and curl cannot be installed"
fi

home=$(mktemp -d "${TMPDIR:-/tmp}/smolts-docker.XXXXXX")
socket=$home/docker.sock
dockerd --data-root="$home/data" --exec-root="$home/exec" --pidfile="$home/dockerd.pid" -H "unix://$socket" \
  --iptables=false --ip6tables=false --bridge=none >"$home/dockerd.log" 2>&1 &
daemon=$!
trap 'kill $daemon 2>/dev/null; wait $daemon 2>/dev/null; rm -rf "$home"' EXIT
# The daemon starts in a second, or a few on a busy machine. The limit is for a daemon that hangs.
began=$SECONDS
until curl -sf --unix-socket "$socket" http://d/_ping >/dev/null; do
  kill -0 $daemon 2>/dev/null || skip "the daemon does not start: $(tail -1 "$home/dockerd.log")"
  [ $((SECONDS - began)) -lt 180 ] || { printf 'the daemon does not answer:\n%s\n' "$(tail -20 "$home/dockerd.log")"; exit 1; }
  sleep 0.1
done

# The image contains only Node and its shared libraries, so no registry is needed.
root=$home/root
mkdir -p "$root"/{usr/bin,tmp,work,etc,proc,sys,dev}
chmod 1777 "$root/tmp" "$root/work" # a tmpfs takes the mode of the folder below it
node=$(readlink -f "$(command -v node)")
cp -L "$node" "$root/usr/bin/node"
ldd "$node" | grep -o '/[^ ]*' | sort -u | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
tar -C "$root" -c . | curl -sf --unix-socket "$socket" -X POST -H 'Content-Type: application/x-tar' --data-binary @- \
  'http://d/images/create?fromSrc=-&repo=smolts-test/node&tag=local&changes=ENV%20PATH=/usr/bin:/bin' >/dev/null || exit 1

# The second image also has Python and its standard library, if Debian's Python is installed here.
python=$(readlink -f /usr/bin/python3 || true)
python_image=
if [ -x "${python:-}" ]; then
  root=$home/python-root
  library=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["stdlib"])')
  mkdir -p "$root"/{usr/bin,tmp,work,etc,proc,sys,dev} "$root$library"
  chmod 1777 "$root/tmp" "$root/work"
  cp -L "$python" "$root/usr/bin/python3"
  tar -C "$library" --exclude=test --exclude=dist-packages --exclude=__pycache__ --exclude='config-*' -c . | tar -C "$root$library" -x
  ldd "$python" "$library"/lib-dynload/*.so | grep -o '/[^ ]*' | grep -v ':$' | sort -u | while read -r file; do
    mkdir -p "$root$(dirname "$file")"
    cp -L "$file" "$root$file"
  done
  tar -C "$root" -c . | curl -sf --unix-socket "$socket" -X POST -H 'Content-Type: application/x-tar' --data-binary @- \
    'http://d/images/create?fromSrc=-&repo=smolts-test/python&tag=local&changes=ENV%20PATH=/usr/bin:/bin' >/dev/null || exit 1
  python_image=smolts-test/python:local
else
  echo "skipped: the Docker executor with Python, because there is no /usr/bin/python3"
fi

# Run the command in the arguments, or the tests. The tests count the containers of the daemon, so
# their files do not run in parallel.
run=(node node_modules/vitest/vitest.mjs run --no-file-parallelism packages/executor-docker apps/demos/test/sandbox-docker.test.ts)
[ $# -eq 0 ] || run=("$@")

DOCKER_HOST="unix://$socket" SMOLTS_TEST_NODE_IMAGE=smolts-test/node:local SMOLTS_TEST_PYTHON_IMAGE=$python_image \
  "${run[@]}"
result=$?
# The daemon may still be removing the last container.
for _ in $(seq 1800); do
  left=$(curl -sf --unix-socket "$socket" 'http://d/containers/json?all=true')
  [ "$left" = "[]" ] && break
  sleep 0.1
done
[ "$left" = "[]" ] || { printf 'containers are left: %s\n' "$left"; result=1; }
exit $result
