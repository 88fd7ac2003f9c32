// The Debian package really installed, used, upgraded, removed and purged, by dpkg, in a layer over this machine's own
// files that is thrown away. Needs Debian, and root or sudo. Run: npm run test:slow

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runInLayer } from '../support/layer.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** What each step of the package leaves, as lines of a shell. */
const STEPS = `
export DEBIAN_FRONTEND=noninteractive
service=/etc/systemd/system/multi-user.target.wants/vestibule.service
say() { echo "$1: $2"; }
there() { for path; do if [ -e "$path" ]; then echo yes; else echo no; fi; done | sort -u | tr '\\n' ' '; }

dpkg -i /vestibule.deb >&2
say account "$(getent passwd vestibule | cut -d: -f1,6,7)"
say data "$(stat -c '%a %U %G' /var/lib/vestibule)"
say options "$(stat -c '%a %U %G' /etc/vestibule/vestibule.json)"
say enabled "$(readlink $service)"
say version "$(vestibule --version)"
say manual "$(zcat /usr/share/man/man1/vestibule.1.gz | head -1)"
cd /var/lib/vestibule
as() { setpriv --reuid vestibule --regid vestibule --clear-groups "$@"; }
# no function, so that the signal below is for the program
setpriv --reuid vestibule --regid vestibule --clear-groups \\
  vestibule --config /etc/vestibule/vestibule.json --port 0 >/tmp/out 2>/tmp/err &
for i in $(seq 300); do grep -q Listening /tmp/out && break; sleep 0.1; done
say serving "$(cut -d: -f1 /tmp/out)"
kill $!; wait $!
say stopped $?
as env VESTIBULE_PASSWORD='x y z' vestibule user add carol --config /etc/vestibule/vestibule.json >&2
echo '{"data": "/var/lib/vestibule", "port": 8081}' >/etc/vestibule/vestibule.json
dpkg -i /vestibule.deb >&2
say upgraded "$(vestibule config --config /etc/vestibule/vestibule.json | grep '^port ' | tr -s ' ')"
say users "$(as vestibule user list --config /etc/vestibule/vestibule.json | cut -f2 | tr '\\n' ' ')"
dpkg -r vestibule >&2
say program "$(there /usr/bin/vestibule /lib/systemd/system/vestibule.service)"
say kept "$(there /var/lib/vestibule/vestibule.db /etc/vestibule/vestibule.json)"
dpkg -P vestibule >&2
say account "$(getent passwd vestibule)"
say left "$(find /etc /usr/bin /usr/share /lib/systemd /var/lib -xdev -name '*vestibule*' | tr '\\n' ' ')"
`;
describe('the Debian package', () => {
  const lines: string[] = [];
  const said = (what: string) =>
    lines.filter((line) => line.startsWith(`${what}: `)).map((line) => line.slice(what.length + 2).trim());

  before(() => {
    execFileSync('npm', ['run', '-s', 'deb'], { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] });
    const name = readdirSync(join(repository, 'dist')).find((each) => /^vestibule_.*_(?:amd64|arm64)\.deb$/.test(each));
    const from = join(repository, 'dist', name!);
    lines.push(...runInLayer(STEPS, { from, to: '/vestibule.deb' }).split('\n'));
  });

  it('makes the account and its folder, and enables the service', () => {
    assert.equal(said('account')[0], 'vestibule:/var/lib/vestibule:/usr/sbin/nologin');
    assert.deepEqual(said('data'), ['700 vestibule vestibule']);
    assert.deepEqual(said('options'), ['640 root vestibule']);
    assert.deepEqual(said('enabled'), ['/lib/systemd/system/vestibule.service']);
  });

  it('brings program and manual page of this version', () => {
    const [version] = said('version');
    assert.match(version!, /^vestibule \d+\.\d+\.\d+$/);
    assert.deepEqual(said('manual'), [`.TH VESTIBULE 1 "" "${version}" "User Commands"`]);
  });

  it('serves as that account from the options that it brings, and ends at SIGTERM', () => {
    assert.deepEqual([...said('serving'), ...said('stopped')], ['Listening on http', '0']);
  });

  it('keeps options that somebody has changed, and all data, at an upgrade', () => {
    assert.match(said('upgraded')[0]!, /^port 8081 /);
    assert.deepEqual(said('users'), ['admin carol']);
  });

  it('leaves data and options when it is removed, and nothing when it is purged', () => {
    assert.deepEqual([...said('program'), ...said('kept')], ['no', 'yes']);
    assert.deepEqual([said('account')[1], ...said('left')], ['', '']);
  });
});
