// Lists that a client keeps for us as a sync-token (RFC 6578 section 4): a URI with the list, packed and signed, so
// that any gateway with the same key reads it, also after a restart, and nobody makes one up.

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { MAX_SYNC_TOKEN_BYTES, MAX_UNPACKED_TOKEN_BYTES } from '../../limits/dav.ts';
import type { Sealer } from '../seal.ts';

/** What tokens of a kind begin with: `data:,` and a letter. Behind it is base64url: a signature and what is packed. */
export interface TokenKind {
  list: string;
  /** of what is too large: a signature only */
  digest: string;
}

const SIGNATURE_BYTES = 16;

/**
 * Of a list, for its owner alone; always the same for the same. Of one that is too large it is a digest, which only
 * says whether it is still the same.
 */
export function tokenOfList(sealer: Sealer, kind: TokenKind, owner: string, list: Buffer): string {
  const packed = deflateRawSync(list);
  const isListed = packed.length + SIGNATURE_BYTES <= MAX_SYNC_TOKEN_BYTES && list.length <= MAX_UNPACKED_TOKEN_BYTES;
  const [start, shown] = isListed ? [kind.list, packed] : [kind.digest, Buffer.alloc(0)];
  const content = signedContent(owner, start, isListed ? packed : list);
  const signature = sealer.sign(content).subarray(0, SIGNATURE_BYTES);
  return start + Buffer.concat([signature, shown]).toString('base64url');
}

/** undefined for what tokenOfList has not made for this owner, and for a digest. */
export function listOfToken(sealer: Sealer, { list: start }: TokenKind, owner: string, token: string) {
  if (!token.startsWith(start) || token.length > start.length + Math.ceil((MAX_SYNC_TOKEN_BYTES * 4) / 3))
    return undefined;
  const bytes = Buffer.from(token.slice(start.length), 'base64url');
  if (bytes.length <= SIGNATURE_BYTES) return undefined;
  const packed = bytes.subarray(SIGNATURE_BYTES);
  const signature = bytes.subarray(0, SIGNATURE_BYTES);
  if (!sealer.isSigned(signedContent(owner, start, packed), signature)) return undefined;
  return inflateRawSync(packed, { maxOutputLength: MAX_UNPACKED_TOKEN_BYTES });
}

function signedContent(owner: string, form: string, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${form}\n${owner}\n\n`), content]);
}
