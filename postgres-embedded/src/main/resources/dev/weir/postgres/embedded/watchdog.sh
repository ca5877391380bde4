# Becomes PostgreSQL, and leaves a watchdog beside it, so that PostgreSQL never outlives its owner.
# Standard input is a pipe whose other end only the owner holds. When that end closes, the owner closes PostgreSQL, or
# has died: then PostgreSQL is stopped, fast first (sessions end, a checkpoint is written), without a checkpoint after a
# bound, and with force after twice that bound.
# Arguments: the bound in tenths of a second; the program and its arguments.
bound=$1
shift
exec 3<&0
(
    # Twice a subshell: the watchdog must not be a child of PostgreSQL, which takes the death of one for a crash.
    (
        trap '' HUP INT QUIT TERM
        read -r nothing
        kill -INT $$
        waited=0
        while kill -0 $$; do
            [ "$waited" -eq "$bound" ] && kill -QUIT $$
            [ "$waited" -eq $((2 * bound)) ] && kill -KILL $$
            waited=$((waited + 1))
            sleep 0.1
        done
    ) <&3 >/dev/null 2>&1 &
)
exec "$@" 3<&- </dev/null
