// What of an event is the reader's.

import { user } from '../../model/session.js';

/** @import { ShownEvent } from './source.js' */

/** @param {{ address: string }} person */
export const isMe = ({ address }) =>
  user.get()?.addresses.some((own) => own.toLowerCase() === address.toLowerCase()) ?? false;

/** Whether what it says is the reader's to change. @param {ShownEvent} event */
export const canChange = (event) => event.canWrite && (!event.organizer || isMe(event.organizer));
