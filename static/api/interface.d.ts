// What the web client reads of the answers of the HTTP interface, for the check of its types. The names are those of
// the schemas in openapi.json, which says what each field means.

export interface Floor {
  num: number;
  name: string;
  refcount: number;
}

export interface RoomListEntry {
  name: string;
  floor: number;
  rorder: number;
  hasnewmsgs: boolean;
  default_view: number;
  is_mailbox: boolean;
  is_directory: boolean;
  is_private: boolean;
  is_password_protected: boolean;
  is_guessname: boolean;
  is_read_only: boolean;
  is_zapped: boolean;
  is_room_aide: boolean;
  mtime: number;
  unread?: number;
  total?: number;
  highest?: number;
  has_picture?: boolean;
}

export interface Start {
  user: WhoAmI;
  server: ServerInfo;
  floors: Floor[];
  rooms: RoomListEntry[];
  max_message_bytes: number;
  last_event_id?: string;
}

export interface RoomNews {
  room: string;
  unread: number;
  msgs: MailboxEntry[];
}

export interface AppPassword {
  id: number;
  name: string;
  scope: string;
  created: number;
  used?: number;
  room?: string;
}

export interface ServerInfo {
  serv_humannode: string;
  serv_supports_guest: boolean;
  serv_supports_app_passwords: boolean;
  serv_software: string;
  serv_fqdn: string;
  serv_bbs_city: string;
  serv_sysadm: string;
  serv_default_cal_zone: string;
  serv_fulltext_enabled: boolean;
  serv_newuser_disabled: boolean;
}

export interface Room {
  name: string;
  default_view: number;
  is_room_aide: boolean;
  can_delete_messages: boolean;
  is_mailbox: boolean;
  is_directory: boolean;
  is_read_only: boolean;
  is_subject_required: boolean;
  is_zapped: boolean;
  has_info: boolean;
  is_trash_folder: boolean;
  floor: number;
  total_messages: number;
  new_messages: number;
  room_aide: string;
  is_private: boolean;
  is_guessname: boolean;
  is_password_protected: boolean;
  is_anonymous_only: boolean;
  is_anonymous_optional: boolean;
  is_preferred_only: boolean;
  is_collaborative: boolean;
  is_mail_accepted: boolean;
}

export interface Mailbox {
  msgs: MailboxEntry[];
  total_messages: number;
  new_messages: number;
}

export interface MailboxEntry {
  msgnum: number;
  time: number;
  author: string;
  addr: string;
  subject: string;
  msgidhash: number;
  references: number[];
  seen: boolean;
  to?: string;
  files?: number;
  snippet?: string;
}

export interface Part {
  partnum: string;
  filename: string;
  disposition: string;
  content_type: string;
  content_length: number;
  size?: number;
  content_id: string;
}

export interface Message {
  msgnum: number;
  msgn?: string;
  time: number;
  seen: boolean;
  from?: string;
  rfca?: string;
  subj?: string;
  wefw?: string;
  exti?: string;
  rcpt?: string[];
  cccc?: string[];
  bccc?: string[];
  reply_to?: string[];
  list_post?: string;
  unsubscribe?: string[];
  locl?: boolean;
  content_type: string;
  parts: Part[];
  has_blocked_remote: boolean;
  is_cut: boolean;
  text: string;
}

export interface UploadRecord {
  uploadfilename: string;
  ref: string;
  contentlength: number;
  /** of a message that it was taken from */
  partnum?: string;
}

export interface WhoAmI {
  logged_in: boolean;
  username: string;
  fullname: string;
  axlevel: number;
  usernum: number;
  email: string;
  addresses: string[];
}

export interface OnlineUser {
  username: string;
  sessions: OnlineSession[];
  last_activity: number;
}

export interface OnlineSession {
  client: string;
  host?: string;
  last_activity: number;
}

export interface InstantMessage {
  time: number;
  from: string;
  text: string;
}

export interface Suggestion {
  name: string;
  addr: string;
  recipient: string;
}

export interface Hit {
  room: string;
  msgnum: number;
  time: number;
  author: string;
  addr: string;
  subject: string;
  seen?: boolean;
  files?: number;
  excerpt?: string;
  marks?: number[][];
}

export interface ViewHits {
  default_view: number;
  total: number;
}

export interface Hits {
  total: number;
  is_cut: boolean;
  by_view: ViewHits[];
  hits: Hit[];
}

export interface RecipientCheck {
  is_known: boolean;
  detail: string;
}

export interface PageVersion {
  version: string;
  time: number;
  from: string;
}

export interface OldPage {
  version: string;
  time: number;
  from: string;
  content_type: string;
  text: string;
}

export interface Member {
  name: string;
}

export interface User {
  name: string;
  axlevel: number;
  last_call: number;
}

export interface Profile {
  name: string;
  last_call: number;
  bio: string;
  /** left out where the room server does not tell */
  has_picture?: boolean;
}
