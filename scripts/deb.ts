// Packs dist/vestibule for Debian and its kin: dist/vestibule_VERSION_amd64.deb, with the service, its account, a file
// of options, manual page and completions. Builds the binary first. Needs dpkg-deb. Run: npm run deb
// For another processor: npm run deb -- --platform linux-arm64

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { completionScript, manualPage } from '../src/extra/manual/manual.ts';
import { THIS_PLATFORM } from './package/node-binary.ts';
import { sourceTimeSeconds } from './package/source-time.ts';
import { scriptOptions } from './script-options.ts';

// modes in the package are not those of who packs it
process.umask(0o022);
process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const ROOT = 'dist/deb';
const CONTROL = 'scripts/package/debian';
const UNITS = 'lib/systemd/system';
/** Debian's words for processors */
const ARCHITECTURES: Readonly<Record<string, string>> = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' };

const { platform = THIS_PLATFORM } = scriptOptions(import.meta.filename, { platform: { type: 'string' } });
const architecture = ARCHITECTURES[platform];
if (architecture === undefined) {
  console.error(`There are packages for ${Object.keys(ARCHITECTURES).join(' and ')}; this is ${platform}`);
  process.exit(2);
}
const { version, description } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;
const isHere = platform === THIS_PLATFORM;
const binary = isHere ? 'dist/vestibule' : `dist/vestibule-${version}-${platform}`;
execFileSync('npm', ['run', '-s', 'build', ...(isHere ? [] : ['--', '--platform', platform])], { stdio: 'inherit' });

rmSync(ROOT, { recursive: true, force: true });
put('usr/bin/vestibule', readFileSync(binary), 0o755);
put('etc/vestibule/vestibule.json', readFileSync(`${CONTROL}/vestibule.json`));
const unit = readFileSync('scripts/deploy/vestibule.service', 'utf8');
// the package makes the account and the file of options itself, and has its program elsewhere
put(`${UNITS}/vestibule.service`, unit.replace(/^#.*\n#.*\n#.*\n\n/, '').replaceAll('/usr/local/bin/', '/usr/bin/'));
put('usr/share/bash-completion/completions/vestibule', completionScript('bash'));
put('usr/share/zsh/vendor-completions/_vestibule', completionScript('zsh'));
put('usr/share/fish/vendor_completions.d/vestibule.fish', completionScript('fish'));
put('usr/share/man/man1/vestibule.1.gz', gzipSync(manualPage(version!), { level: 9 }));
put('usr/share/doc/vestibule/copyright', licences());
put('DEBIAN/control', controlFile());
put('DEBIAN/conffiles', '/etc/vestibule/vestibule.json\n');
for (const name of ['postinst', 'prerm', 'postrm']) put(`DEBIAN/${name}`, readFileSync(`${CONTROL}/${name}`), 0o755);
const output = `dist/vestibule_${version}_${architecture}.deb`;
// level 1: a tenth larger than with 6, in a fourth of the time
execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', ROOT, output], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, SOURCE_DATE_EPOCH: String(sourceTimeSeconds()) },
});
rmSync(ROOT, { recursive: true });
console.log(`${output}  ${(statSync(output).size / 1e6).toFixed(1)} MB`);

function put(path: string, content: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(`${ROOT}/${path}`), { recursive: true });
  writeFileSync(`${ROOT}/${path}`, content);
  chmodSync(`${ROOT}/${path}`, mode);
}

/** Debian policy, chapter 5. The libraries are those that the binary is linked to. */
function controlFile(): string {
  const kibibytes = Math.ceil(statSync(binary).size / 1024);
  return `Package: vestibule
Version: ${version}
Architecture: ${architecture}
Maintainer: The Vestibule developers <vestibule@localhost>
Section: web
Priority: optional
Installed-Size: ${kibibytes}
Depends: libc6 (>= 2.28), libstdc++6, libgcc-s1, passwd, init-system-helpers
Recommends: systemd
Description: ${description!.split(':')[0]!.replace('A web', 'web')}
 Rooms, mail, calendars, address books, notes, wikis and blogs by HTTP, JSON,
 WebDAV, CalDAV and CardDAV, with a web client. It brings a room server of its
 own, kept in SQLite, and can stand in front of a Citadel server instead.
 .
 After the installation it listens on http://127.0.0.1:8080/; the password of
 the account admin is in its journal.
`;
}

/** Ours, and those of Node and of what is inside it. */
function licences(): string {
  const node = readFileSync(join(dirname(process.execPath), '../LICENSE'), 'utf8');
  return `Vestibule\n\n${readFileSync('LICENSE', 'utf8')}\nNode.js, which is inside the program\n\n${node}`;
}
