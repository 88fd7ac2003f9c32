// Content that holds a message of its own, made for tests: winmail.dat (MS-OXTNEF) and signed data (RFC 5652).

export const u16 = (value: number) => Buffer.from(Uint16Array.of(value).buffer);
export const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
export const attribute = (id: number, data: Buffer) =>
  Buffer.concat([Buffer.of(1), u16(id), u16(6), u32(data.length), data, u16(0)]);
export const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
export const property = (type: number, id: number, value: Buffer) =>
  Buffer.concat([u16(type), u16(id), u32(1), u32(value.length), padded(value)]);
export const properties = (...list: Buffer[]) => Buffer.concat([u32(list.length), ...list]);
export const tnef = (...attributes: Buffer[]) => Buffer.concat([u32(0x223e9f78), u16(1), ...attributes]);
export const file = (title: string, data: string, ...more: Buffer[]) =>
  Buffer.concat([
    attribute(0x9002, Buffer.alloc(14)),
    attribute(0x8010, Buffer.from(`${title}\0`, 'latin1')),
    attribute(0x800f, Buffer.from(data)),
    ...(more.length > 0 ? [attribute(0x9005, properties(...more))] : []),
  ]);

const SIGNED_DATA = Buffer.from('06092a864886f70d010702', 'hex');
const DATA = Buffer.from('06092a864886f70d010701', 'hex');
export const ENVELOPED_DATA = Buffer.from('06092a864886f70d010703', 'hex');
export const element = (tag: number, ...pieces: Buffer[]) => {
  const content = Buffer.concat(pieces);
  const length =
    content.length < 0x80 ? Buffer.of(content.length) : Buffer.of(0x82, content.length >> 8, content.length & 0xff);
  return Buffer.concat([Buffer.of(tag), length, content]);
};
export const indefinite = (tag: number, ...pieces: Buffer[]) =>
  Buffer.concat([Buffer.of(tag, 0x80), ...pieces, Buffer.of(0, 0)]);
export const signed = (wrap: typeof element, octets: Buffer, oid = SIGNED_DATA) =>
  wrap(
    0x30,
    oid,
    wrap(
      0xa0,
      wrap(0x30, element(2, Buffer.of(1)), element(0x31), wrap(0x30, DATA, wrap(0xa0, octets)), element(0x31)),
    ),
  );
