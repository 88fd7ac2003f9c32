// Every parser that reads what a peer has sent, as a target of the fuzzer.

import type { Target } from '../engine.ts';
import { answers } from './answers.ts';
import { dav } from './dav.ts';
import { gateway } from './gateway.ts';
import { http } from './http.ts';
import { roomClient, roomServer } from './lines.ts';
import { header, html, message, styles, unpacked } from './mail.ts';
import { multipart } from './multipart.ts';
import { calendar, card } from './objects.ts';
import { resp } from './resp.ts';
import { scheduling } from './scheduling.ts';
import { xml } from './xml.ts';

export const TARGETS: readonly Target[] = [
  xml,
  dav,
  calendar,
  card,
  scheduling,
  message,
  unpacked,
  header,
  html,
  styles,
  multipart,
  http,
  gateway,
  answers,
  roomServer,
  roomClient,
  resp,
];
