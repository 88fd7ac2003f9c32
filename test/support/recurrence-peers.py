# What another program makes of recurrences: `dateutil` (python3-dateutil) or `libical` (gir1.2-ical-3.0) finds the local
# times of a rule, and Debian's tzdata turns them into instants. Reads a series a line, as JSON, and answers each with a
# line: the instants between `from` and `to`, or why there are none.

import json
import re
import signal
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import gi
from dateutil.rrule import rrulestr

gi.require_version('ICalGLib', '3.0')
from gi.repository import ICalGLib  # noqa: E402

CPU_SECONDS = 0.3


def parsed(digits):
    return datetime.strptime(digits, '%Y%m%dT%H%M%S' if 'T' in digits else '%Y%m%d')


def instant(local, zone):
    """RFC 5545 section 3.3.5: skipped and repeated times have the offset before the change, which is fold=0."""
    return int(local.replace(tzinfo=ZoneInfo(zone) if zone else timezone.utc, fold=0).timestamp())


def by_dateutil(rule, start, last, _):
    for local in rrulestr(rule, dtstart=start):
        if local > last:
            return
        yield local


def by_libical(rule, start, last, is_day):
    text = start.strftime('%Y%m%d' if is_day else '%Y%m%dT%H%M%S')
    recurrence = ICalGLib.Recurrence.new_from_string(rule)
    steps = ICalGLib.RecurIterator.new(recurrence, ICalGLib.Time.new_from_string(text))
    while True:
        time = steps.next()
        if time is None or time.is_null_time():
            return
        local = parsed(time.as_ical_string().rstrip('Z'))
        if local > last:
            return
        yield local


def instants(series, locals_of):
    start, zone, is_day = parsed(series['start']), series['zone'], 'T' not in series['start']
    last = datetime.fromtimestamp(series['to'], timezone.utc).replace(tzinfo=None) + timedelta(days=2)
    rule, until = series['rule'], None
    match = re.search(r';UNTIL=(\w+?)Z(?=;|$)', rule)
    if match:
        # an instant, which these programs cannot compare with times without a zone
        until = instant(parsed(match.group(1)), '')
        rule = rule.replace(match.group(0), '')
    found = {instant(start, zone)}
    for local in locals_of(rule, start, last, is_day):
        at = instant(local, zone)
        if until is None or at <= until:
            found.add(at)
    found |= {instant(parsed(digits), other) for digits, other in series['rdates']}
    found -= {instant(parsed(digits), other) for digits, other in series['exdates']}
    return sorted(at for at in found if series['from'] <= at <= series['to'])


def too_long(*_):
    raise TimeoutError(f'no answer in {CPU_SECONDS} s')


peer = sys.argv[1]
# libical does not come back from a rule without any time, so that this ends the process
signal.signal(signal.SIGPROF, too_long if peer == 'dateutil' else signal.SIG_DFL)
for line in sys.stdin:
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        answer = instants(json.loads(line), by_dateutil if peer == 'dateutil' else by_libical)
    except Exception as error:
        answer = f'{type(error).__name__}: {error}'
    signal.setitimer(signal.ITIMER_PROF, 0)
    print(json.dumps(answer), flush=True)
