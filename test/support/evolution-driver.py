# A user of Evolution: its library (Debian's gir1.2-ecal-2.0, gir1.2-ebook-1.2) and the servers behind it
# (evolution-data-server). Reads one step a line, a JSON list of its name and arguments, and answers with one line of
# JSON: what the user is shown. Run within dbus-run-session.

import json
import sys

import gi

gi.require_version("EDataServer", "1.2")
gi.require_version("ECal", "2.0")
gi.require_version("EBook", "1.2")
from gi.repository import EBook, EBookContacts, ECal, EDataServer, GLib, ICalGLib  # noqa: E402

WAIT = 1  # seconds until it is online; without a log-in it never says that it is
registry = EDataServer.SourceRegistry.new_sync(None)
calendar = None
book = None


def discover(url):
    """Address, kinds (1 contacts, 2 events, 4 notes, 8 tasks; added up) and name of what a server has."""
    source = EDataServer.Source.new(None, None)
    uri = GLib.Uri.parse(url, 0)
    source.get_extension("WebDAV Backend").set_uri(uri)
    login = source.get_extension("Authentication")
    login.set_host(uri.get_host())
    login.set_port(uri.get_port())
    login.set_user("alice")
    login.set_method("plain/password")
    credentials = EDataServer.NamedParameters.new()
    credentials.set("username", "alice")
    credentials.set("password", "alice")
    kinds = EDataServer.WebDAVDiscoverSupports.NONE
    found = EDataServer.webdav_discover_sources_sync(source, url, kinds, credentials, None)[3]
    return [[each.href, int(each.supports), each.display_name, each.color] for each in found]


def source_of(name, url, extension, backend):
    source = EDataServer.Source.new_with_uid(name, None)
    source.set_display_name(name)
    source.get_extension(extension).set_backend_name(backend)
    uri = GLib.Uri.parse(url, 0)
    login = source.get_extension("Authentication")
    login.set_host(uri.get_host())
    login.set_port(uri.get_port())
    login.set_method("none")
    source.get_extension("WebDAV Backend").set_uri(uri)
    source.get_extension("Security").set_method("none")
    registry.commit_source_sync(source, None)
    return registry.ref_source(name)


def open_calendar(url):
    global calendar
    source = source_of("calendar", url, "Calendar", "caldav")
    calendar = ECal.Client.connect_sync(source, ECal.ClientSourceType.EVENTS, WAIT, None)
    calendar.refresh_sync(None)
    return [calendar.is_online(), calendar.is_readonly()]


def events():
    """UID and summary of each."""
    calendar.refresh_sync(None)
    found = calendar.get_object_list_as_comps_sync("#t", None)[1]
    return sorted([each.get_id().get_uid(), each.get_summary().get_value()] for each in found)


def add_event(text):
    component = ICalGLib.Component.new_from_string(text)
    return calendar.create_object_sync(component, ECal.OperationFlags.NONE, None)[1]


def rename_event(uid, summary):
    component = calendar.get_object_sync(uid, None, None)[1]
    component.set_summary(summary)
    calendar.modify_object_sync(component, ECal.ObjModType.ALL, ECal.OperationFlags.NONE, None)


def remove_event(uid):
    calendar.remove_object_sync(uid, None, ECal.ObjModType.ALL, ECal.OperationFlags.NONE, None)


def open_book(url):
    global book
    source = source_of("book", url, "Address Book", "carddav")
    book = EBook.BookClient.connect_sync(source, WAIT, None)
    book.refresh_sync(None)
    return [book.is_online(), book.is_readonly()]


def contacts():
    """Full names."""
    book.refresh_sync(None)
    found = book.get_contacts_sync('(exists "full_name")', None)[1]
    return sorted(each.get_property("full-name") for each in found)


def add_contact(text):
    contact = EBookContacts.Contact.new_from_vcard(text)
    return book.add_contact_sync(contact, EBookContacts.BookOperationFlags.NONE, None)[1]


def rename_contact(uid, name):
    contact = book.get_contact_sync(uid, None)[1]
    contact.set_property("full-name", name)
    book.modify_contact_sync(contact, EBookContacts.BookOperationFlags.NONE, None)


def remove_contact(uid):
    book.remove_contact_by_uid_sync(uid, EBookContacts.BookOperationFlags.NONE, None)


STEPS = {step.__name__: step for step in (
    discover, open_calendar, events, add_event, rename_event, remove_event,
    open_book, contacts, add_contact, rename_contact, remove_contact,
)}

for line in sys.stdin:
    name, *words = json.loads(line)
    try:
        print(json.dumps({"shown": STEPS[name](*words)}), flush=True)
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), flush=True)
