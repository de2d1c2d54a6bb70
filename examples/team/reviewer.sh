#!/bin/sh
# A reviewer in POSIX shell with curl and jq, woken by `stoa watch`:
#
#   HANDLE=cam LEAD=lead ./reviewer.sh
#
# `stoa watch` runs it again, as `reviewer.sh wake`, for each event, and after twenty seconds without
# one, because a claim that runs out is an event for its former holder alone. It may be killed at any
# moment and started again. Which request it was working on, the service knows; which events it has
# had, `stoa watch` keeps in a file. A `wake` that outlives its `stoa watch` may review the same file
# as the next one: the answer is still one.
set -eu

: "${HANDLE:?is the name of this agent}" "${LEAD:?is the agent whose invitations it accepts}"
STOA_URL=${STOA_URL:-http://127.0.0.1:8080}
KEY_FILE=${KEY_FILE:-$HANDLE.key}
LEASE_SECONDS=${LEASE_SECONDS:-60}

say() { echo "$HANDLE: $*" >&2; }

# Prints a random UUID.
uuid() {
  od -An -tx1 -N16 /dev/urandom | tr -d ' \n' |
    sed 's/\(.\{8\}\)\(.\{4\}\).\(...\).\(...\)\(.*\)/\1-\2-4\3-8\4-\5/'
}

# send METHOD PATH IDEMPOTENCY-KEY [JSON]: prints the answer, and fails if there is none or a refusal.
# Nothing is repeated here: when this program fails, `stoa watch` runs it again. The agent's key goes
# through standard input, because others can see the words of a command.
send() {
  method=$1 path=$2 idempotency_key=$3
  shift 3
  [ $# -eq 0 ] || set -- --data-raw "$1" -H 'Content-Type: application/json'
  printf 'header = "X-API-Key: %s"\n' "${STOA_API_KEY:-}" |
    curl -sS --fail-with-body -m 90 -K - -H "Idempotency-Key: $idempotency_key" \
      -X "$method" "$STOA_URL/api/v1$path" "$@"
}

get() { send GET "$1" "$(uuid)"; }

# Writes the key file whole or not at all. Only its owner may read it.
save() {
  (umask 077 && printf %s "$1" >"$KEY_FILE.new")
  mv "$KEY_FILE.new" "$KEY_FILE"
}

# Sets STOA_API_KEY. The first time it registers, as in agent.ts.
open_agent() {
  [ -e "$KEY_FILE" ] || save "$(uuid)"
  kept=$(cat "$KEY_FILE")
  case $kept in
    stoa_*) ;;
    *)
      registered=$(send POST /agents "$kept" "{\"handle\":\"$HANDLE\"}")
      kept=$(printf %s "$registered" | jq -r .apiKey)
      save "$kept"
      ;;
  esac
  export STOA_API_KEY="$kept"
}

# Reviews the file on standard input and prints the text of the answer: the same as review.ts.
review() {
  LC_ALL=C awk '
    function find(what) { findings[++count] = "- line " NR ": " what }
    /TODO|FIXME/ { find("left to do") }
    length($0) > 100 { find(length($0) " bytes") }
    /^ *(export )?(default )?(async )?function[* ]/ && before !~ /\*\/[ \t]*$|^[ \t]*\/\// {
      find("a function without a comment above it")
    }
    { before = $0 }
    END {
      print "findings: " count + 0
      if (count) print ""
      # Of a file with thousands, an answer would be refused.
      for (nr = 1; nr <= count && nr <= 200; nr++) print findings[nr]
      if (count > 200) print "- and " count - 200 " more"
    }'
}

# Joins the rooms to which the lead invites. Invitations of others are left alone.
accept_invitations() {
  invitations=$(get /me/invitations)
  for invitation in $(printf %s "$invitations" |
    jq -r --arg lead "$LEAD" '.[] | select(.inviterHandle == $lead) | .id'); do
    send POST "/invitations/$invitation/accept" "$(uuid)" >/dev/null
  done
}

# Prints, in a list, what this agent holds already, because a process of it was killed or an answer
# was lost. Otherwise it takes the oldest open request. The list is empty if there is none.
take_request() {
  held=$(get '/me/claims?limit=1')
  if [ "$held" = '[]' ]; then
    held=$(send POST /claims/next "$(uuid)" \
      "{\"tag\":\"review\",\"leaseSeconds\":$LEASE_SECONDS}")
  fi
  printf %s "$held"
}

# renew MESSAGE FENCE: renews a claim until it is killed, or this program is gone.
renew() {
  while sleep "$((LEASE_SECONDS / 3))" && kill -0 $$; do
    send PUT "/messages/$1/claim" "$(uuid)" \
      "{\"fence\":$2,\"leaseSeconds\":$LEASE_SECONDS}" || true
  done
}

# answer MESSAGE THREAD FENCE: answers a request. Answer and end of the claim are one act: if the
# claim ran out and somebody else has it, the answer is refused and nothing is posted.
answer() {
  renew "$1" "$3" >/dev/null 2>&1 &
  renewing=$!
  message=$(get "/messages/$1")
  sleep "${REVIEW_SECONDS:-0}"
  # The lines between the fences are the file.
  text=$(printf %s "$message" | jq -r .body | sed '1,3d;$d' | review)
  json=$(jq -cn --arg body "$text" --arg id "$1" --argjson fence "$3" \
    '{ body: $body, answers: $id, fence: $fence, replyToId: $id, follow: false }')
  if answered=$(send POST "/threads/$2/messages" "answer-$1-$3" "$json"); then
    say "answered $1"
  else
    case $answered in
      *'"code":"state_conflict"'*) say "lost $1: $answered" ;;
      *) say "it goes on when the event comes again: $answered" && exit 1 ;;
    esac
  fi
  kill "$renewing" 2>/dev/null || true
}

# Answers requests until there is none.
work() {
  accept_invitations
  while :; do
    held=$(take_request)
    [ "$held" != '[]' ] || break
    # These words are two ids and a number, made by the service.
    # shellcheck disable=SC2046
    answer $(printf %s "$held" | jq -r '.[0] | .messageId, .threadId, .claim.fence')
  done
}

if [ "${1:-}" = wake ]; then
  # The event is on standard input, or nothing. It only wakes; its exit code says that it was handled.
  event=$(jq -r '"event \(.id), \(.kind)"')
  say "woken by ${event:-its timer}"
  work
else
  open_agent
  export STOA_URL HANDLE LEAD
  exec ${STOA:-stoa} watch --idle 20 --url "$STOA_URL" --state "$KEY_FILE.cursor" --exec "'$0' wake"
fi
