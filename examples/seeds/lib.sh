# Functions of the seed scripts: start a node, send requests, check results. They need a shell, curl and a JDK.
# WEIR is the command that starts a node; the default is the launcher of this checkout. WEIR_CLASSPATH has the PostgreSQL driver.

set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
weir=${WEIR:-$root/weir}
dir=$(mktemp -d)
chmod 755 "$dir" # PostgreSQL may run under another account, which needs access
node=
failed=0

clean_up() {
    if [ -n "$node" ]; then
        kill "$node" 2> /dev/null || true
        wait "$node" 2> /dev/null || true
    fi
    rm -rf "$dir"
}
trap clean_up EXIT
trap 'exit 130' HUP INT PIPE TERM

field() { sed -n "s/.*\"$1\" *: *\"\([^\"]*\)\".*/\1/p" "$dir/data/profile.json" 2> /dev/null || true; }

# Starts the node on a free port, with the options in up_options, and waits until it is ready.
up_options=
up() {
    # shellcheck disable=SC2086 # several words
    "$weir" up --data "$dir/data" --port 0 $up_options >> "$dir/node.log" 2>&1 &
    node=$!
    tries=0
    until url=$(field url) && [ -n "$url" ] && curl -fs "$url/health/ready" > /dev/null 2>&1; do
        tries=$((tries + 1))
        if [ "$tries" -gt 600 ] || ! kill -0 "$node" 2> /dev/null; then
            echo "FAIL the node did not start; its log:"
            cat "$dir/node.log"
            exit 1
        fi
        sleep 0.5
    done
    token=$(field token)
}

# Kills the node like a crash, and restarts it on the same data.
crash_and_restart() {
    kill -9 "$node"
    wait "$node" 2> /dev/null || true
    up
}

request() { curl -sS -H "Authorization: Bearer $token" -H "Content-Type: application/json" "$@"; }
get() { request "$url$1"; }
post() { request "$url$1" -d "$2"; }
put() { request -X PUT "$url$1" -d "$2"; }

patch() { request -X PATCH "$url$1" -d "$2"; }

# Runs a query on the node's PostgreSQL and prints the rows. sql QUERY [LOGIN PASSWORD]
sql() {
    "${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "${WEIR_CLASSPATH:-$root/cli/target/weir.jar}" "$root/examples/seeds/Sql.java" "$dir/data" "$@"
}

# Counts the occurrences of a text in standard input.
count() { grep -o -- "$1" | wc -l | tr -d ' '; }

# claimed: extracts the claims of a response. report RUN RESULT: reports them with that result.
claimed() { grep -o '"step":"[^"]*"\(,"item":[0-9]*\)\{0,1\},"module":"[^"]*","fence":[0-9]*' || true; }
report() {
    entries=$(claimed | sed "s/,\"module\":\"[^\"]*\"//; s/^/{\"run\":\"$1\",/; s/\$/,\"result\":\"$2\"}/" | paste -sd, -)
    if [ -n "$entries" ]; then
        post /v1/updates "{\"updates\":[$entries]}"
    fi
}

# await EXPECTED COMMAND...: repeats a command until it prints the expected text, and prints its last output.
await() {
    expected=$1
    shift
    tries=0
    until found=$("$@") && [ "$found" = "$expected" ] || [ "$tries" -gt 900 ]; do
        tries=$((tries + 1))
        sleep 0.2
    done
    echo "$found"
}

# Counts the steps of a run in flight.
in_flight() { get "/v1/runs/$1" | grep -o '"running_steps":\[[^]]*\]' | count '"step"'; }

# check SENTENCE EXPECTED FOUND
check() {
    if [ "$2" = "$3" ]; then
        echo "PASS $1"
    else
        echo "FAIL $1: expected $2, found $3"
        failed=1
    fi
}

at_most() { if [ "$1" -le "$2" ]; then echo "at most $2"; else echo "$1"; fi; }

finish() { exit "$failed"; }
