// What `vestibule doctor` says of one thing it looked at: what it is, and where it is wrong what to do.

export type Finding = readonly [level: 'ok' | 'note' | 'wrong', what: string, text: string];
