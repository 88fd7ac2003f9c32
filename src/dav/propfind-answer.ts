// Reading a PROPFIND and answering it (RFC 4918 section 9.1).

import { AppError } from '../errors.ts';
import { readBody } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { preferenceApplied, prefers } from '../http/prefer.ts';
import { MAX_KNOWN_PROPFIND_BYTES, MAX_KNOWN_PROPFINDS, MAX_XML_BYTES } from '../limits/dav.ts';
import { BoundedMap } from '../system/bounded-map.ts';
import {
  batchDescriber,
  describer,
  isMinimalWanted,
  needsOf,
  parsePropfind,
  type ResourceBatch,
  type WantedProperties,
} from './describer.ts';
import { sendMultistatus } from './multistatus.ts';
import { isCollection, type Need, type Resource, type Viewer } from './resource.ts';
import { rootOf } from './xml-read.ts';
import { type Markup, unmet } from './xml-write.ts';

interface Asked {
  wanted: WantedProperties;
  needs: ReadonlySet<Need>;
}

export interface Propfind extends Asked {
  depth: 0 | 1 | 'infinity';
  /** identifies the request except its path */
  variant: string;
}

/** parsed short bodies, since programs send the same ones again and again */
const known = new BoundedMap<string, Asked>(MAX_KNOWN_PROPFINDS);

/**
 * `without`: what a missing Depth means; infinity by RFC 4918 section 10.2, but clients may lose the header when they
 * follow a redirection during discovery. Throws bad_request.
 */
export async function readPropfind(exchange: Exchange, without: 0 | 'infinity' = 'infinity'): Promise<Propfind> {
  const bytes = await readBody(exchange, MAX_XML_BYTES);
  const depth = depthOf(exchange) ?? without;
  const text = bytes.toString('latin1');
  const { wanted, needs } = known.get(text) ?? (await parse(exchange, bytes, text));
  return {
    wanted,
    needs,
    depth,
    variant: `${depth} ${isMinimalWanted(exchange)} ${isRootUnwanted(exchange)}\n${text}`,
  };
}

async function parse(exchange: Exchange, bytes: Buffer, text: string): Promise<Asked> {
  const wanted = parsePropfind(await rootOf(exchange, bytes));
  const asked = { wanted, needs: needsOf(wanted) };
  if (bytes.length <= MAX_KNOWN_PROPFIND_BYTES) known.set(text, asked);
  return asked;
}

function isRootUnwanted(exchange: Exchange): boolean {
  return prefers(exchange, 'depth-noroot');
}

/** The same where a missing Depth is 0. Throws as requireFiniteDepth. */
export async function readFinitePropfind(exchange: Exchange): Promise<Propfind> {
  const propfind = await readPropfind(exchange, 0);
  requireFiniteDepth(propfind);
  return propfind;
}

/** Throws forbidden for `Depth: infinity`, which is refused on collections that may hold others. */
export function requireFiniteDepth({ depth }: Propfind): void {
  if (depth === 'infinity') throw unmet('D:propfind-finite-depth', 'Send a Depth of 0 or 1.');
}

/**
 * Sends a 207 of these resources, the requested one first, and of `members`, as they come. Content-Location has the
 * slash of a collection if the client left it out (RFC 4918 section 5.2). With depth-noroot the requested collection is
 * left out (RFC 8144 section 4).
 */
export function answerPropfind(
  exchange: Exchange,
  { wanted, depth }: Propfind,
  viewer: Viewer,
  resources: readonly [Resource, ...Resource[]],
  members?: AsyncIterable<ResourceBatch>,
): Promise<void> {
  const isMinimal = isMinimalWanted(exchange);
  const describe = describer(wanted, viewer, { isMinimal });
  const [asked] = resources;
  const variant = `${isMinimal} ${asked.collection} ${asked.href}`;
  const describeBatch = batchDescriber(wanted, variant, describe);
  const isSlashMissing = isCollection(asked) && !exchange.rawPath.endsWith('/');
  // with Depth 0 nothing would be left
  const isRootLeftOut = depth === 1 && isCollection(asked) && isRootUnwanted(exchange);
  const headers = {
    ...(isSlashMissing && { 'Content-Location': asked.href }),
    ...preferenceApplied(exchange, 'return=minimal', ...(isRootLeftOut ? (['depth-noroot'] as const) : [])),
  };
  const first = (isRootLeftOut ? resources.slice(1) : resources).map(describe);
  return sendMultistatus(exchange, responses(first, members, describeBatch), headers);
}

async function* responses(
  first: readonly Markup[],
  members: AsyncIterable<ResourceBatch> | undefined,
  describeBatch: (batch: ResourceBatch) => Iterable<Markup>,
): AsyncGenerator<Iterable<Markup>> {
  yield first;
  for await (const batch of members ?? []) yield describeBatch(batch);
}

function depthOf(exchange: Exchange): 0 | 1 | 'infinity' | undefined {
  const depth = exchange.header('depth')?.trim().toLowerCase();
  if (depth === undefined || depth === 'infinity') return depth;
  if (depth === '0') return 0;
  if (depth === '1') return 1;
  throw new AppError('bad_request', 'Depth takes 0, 1 or infinity.');
}
