// Properties that clients set on rooms and members (dead properties of RFC 4918 section 4, and names, colours and the
// like): kept by a room server that is ours. Any other has no place for them.

import type { Identity } from '../../client/connection/identity.ts';
import type { App } from '../app.ts';
import type { RoomContext } from '../room-context.ts';

/** `{namespace}name` → the element as XML that stands for itself */
export type PropertyTexts = ReadonlyMap<string, string>;

export interface PropertyChange {
  /** `{namespace}name` */
  key: string;
  /** XML of the whole element; undefined removes it */
  text: string | undefined;
}

const NONE: PropertyTexts = new Map();
const NONE_ANYWHERE: ReadonlyMap<string, PropertyTexts> = new Map();

/** Whether the room server keeps them at all. */
export async function canKeepProperties(_app: App, _identity: Identity): Promise<boolean> {
  return false;
}

/** Those of one member by its name (Member.name), of the room itself for ''. Throws as openCollection. */
export async function readProperties(_context: RoomContext, _member: string): Promise<PropertyTexts> {
  return NONE;
}

/** Those of the room and of all its members, by name, '' for the room. Throws as openCollection. */
export async function readAllProperties(_context: RoomContext): Promise<ReadonlyMap<string, PropertyTexts>> {
  return NONE_ANYWHERE;
}

/** Those of all rooms that the caller knows, by the name of the room. */
export async function readHomeProperties(_app: App, _identity: Identity): Promise<ReadonlyMap<string, PropertyTexts>> {
  return NONE_ANYWHERE;
}

/**
 * Makes all changes or none; false where they cannot be kept. Throws as openCollection, forbidden,
 * insufficient_storage.
 */
export async function changeProperties(
  _context: RoomContext,
  _member: string,
  _changes: readonly PropertyChange[],
): Promise<boolean> {
  return false;
}
