// One message of `--demo`, before it is posted.

export interface DemoEntry {
  by: 'alice' | 'bob';
  /** where it is posted; none for mail */
  room?: string;
  /** recipients of a mail */
  to?: string;
  subject?: string;
  body: string;
  format?: number;
  /** page name */
  euid?: string;
  /** Unix time */
  time: number;
  /** how later entries name this one */
  key?: string;
  replyTo?: string[];
}
