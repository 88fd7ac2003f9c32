// What Objects is told of the objects that a kind shows, and what it knows of each.

export interface ObjectStyle<T> {
  /** what is shown of a text; undefined for what is none. The key is the UID, or `number:12` for what has none. */
  read(text: string, msgnum: number): (T & { uid: string }) | undefined;
  /** undefined: all of them */
  load(msgnums: number[] | undefined, signal?: AbortSignal): Promise<{ msgnum: number; text: string }[]>;
  /** as which a new one is stored */
  type: string;
  /** the text that load gives is not the whole one */
  isListed?: boolean;
  /** addressed by UIDs, not by numbers */
  isByUid?: boolean;
  /** for what waits */
  titleOf(said: T): string;
  /** what the address says of one behind the room: `task` */
  place: string;
}

export interface Known<T> {
  key: string;
  /** 0 for a new one that waits */
  msgnum: number;
  /** as it is shown */
  text: string;
  /** as the server has it */
  kept: string;
  said: T & { uid: string };
}
