# A user of Debian's python3-caldav: reads one step a line, a JSON list of its name and arguments, and answers with one
# line of JSON: what the user is shown. Run: /usr/bin/python3 caldav-driver.py URL, with alice/alice.

import json
import sys
import warnings
from datetime import datetime, timezone

import caldav
from caldav.elements import dav, ical

warnings.simplefilter("ignore")
client = caldav.DAVClient(url=sys.argv[1], username="alice", password="alice")
calendar = None
collection = None


def time(text):
    return datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)


def rows(objects):
    """UID, summary and start of each."""
    found = []
    for each in objects:
        for part in each.icalendar_instance.walk():
            if part.name in ("VEVENT", "VTODO"):
                start = part.get("DTSTART")
                found.append([str(part["UID"]), str(part["SUMMARY"]), start.to_ical().decode() if start else None])
    return sorted(found)


def calendars():
    return sorted([str(each.url), each.get_property(dav.DisplayName())] for each in client.principal().calendars())


def make(name, id, components):
    global calendar
    calendar = client.principal().make_calendar(name=name, cal_id=id, supported_calendar_component_set=components)
    return str(calendar.url)


def describe(name, color):
    calendar.set_properties([dav.DisplayName(name), ical.CalendarColor(color)])
    return [calendar.get_property(dav.DisplayName()), calendar.get_property(ical.CalendarColor())]


def event(data):
    return str(calendar.save_event(data).url)


def todo(data):
    return str(calendar.save_todo(data).url)


def all_events():
    return rows(calendar.events())


def search(start, end, expand):
    return rows(calendar.search(start=time(start), end=time(end), event=True, expand=expand))


def by_uid(uid):
    return rows([calendar.event_by_uid(uid)])


def edit(uid, old, new):
    """Changes a word of an event, as one who has it open."""
    found = calendar.event_by_uid(uid)
    found.data = found.data.replace(old, new)
    found.save()


def open_todos():
    return [str(each.icalendar_instance.walk("VTODO")[0]["SUMMARY"]) for each in calendar.todos()]


def complete(summary):
    for each in calendar.todos():
        if str(each.icalendar_instance.walk("VTODO")[0]["SUMMARY"]) == summary:
            each.complete()


def watch():
    global collection
    collection = calendar.objects_by_sync_token(load_objects=True)
    return sorted(str(each.url) for each in collection)


def changes():
    updated, deleted = collection.sync()
    return [sorted(str(each.url) for each in updated), sorted(str(each.url) for each in deleted), rows(collection)]


def busy(start, end):
    return calendar.freebusy_request(time(start), time(end)).data


def delete(uid):
    calendar.object_by_uid(uid).delete()


def delete_calendar():
    calendar.delete()


STEPS = {step.__name__: step for step in (
    calendars, make, describe, event, todo, all_events, search, by_uid, edit, open_todos, complete, watch, changes, busy,
    delete, delete_calendar,
)}

for line in sys.stdin:
    name, *words = json.loads(line)
    try:
        print(json.dumps({"shown": STEPS[name](*words)}), flush=True)
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), flush=True)
