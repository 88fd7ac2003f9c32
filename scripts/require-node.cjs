// Stops a script with a clear message where the Node it would run on is too old to run TypeScript and node:sqlite.
// Run by require-node.sh. Must itself run on any Node from 12 on.

const OLDEST_MAJOR = 24;

if (Number(process.versions.node.split('.')[0]) < OLDEST_MAJOR) {
  console.error(
    `Vestibule needs Node ${OLDEST_MAJOR} or newer; this is ${process.version}.\n` +
      'Run `npm ci` (without --omit=optional or --omit=dev): it brings the right Node into node_modules.\n' +
      `Or install Node ${OLDEST_MAJOR} or newer.`,
  );
  process.exit(1);
}
