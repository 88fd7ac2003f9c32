// App passwords in a browser: made, shown once, seen in use, ended.

import assert from 'node:assert/strict';
import { after, afterEach, it } from 'node:test';
import { checkPage, NARROW, startWebClient, WIDE } from '../support/web-client.ts';

const { gateway, openAs } = await startWebClient({ after, afterEach });

for (const viewport of [WIDE, NARROW]) {
  it(`an app password is made, shown once and ended, ${viewport.width} wide`, async () => {
    const name = `Telephone ${viewport.width}`;
    const page = await openAs('alice', '#/settings/password', { viewport });
    const section = page.getByRole('region', { name: 'App passwords' });
    await section.getByLabel('Program or device').fill(name);
    await section.getByLabel('It may').selectOption('dav');
    await section.getByLabel('Your own password').fill('wrong');
    await section.getByRole('button', { name: 'Make an app password' }).click();
    await section.getByText('The password is wrong.').waitFor();
    await section.getByLabel('Your own password').fill('alice');
    await section.getByRole('button', { name: 'Make an app password' }).click();
    const secret = (await section.getByRole('status').locator('code').textContent()) ?? '';
    assert.match(secret, /^[a-z2-9]{5}(-[a-z2-9]{5}){4}$/);
    await checkPage(page);
    const calendar = async () => {
      const init = { method: 'PROPFIND', headers: { depth: '0' } };
      return (await gateway.as('alice', secret)('r/_CALENDAR_/', init)).status;
    };
    await section.getByText(name).waitFor();
    await section.getByText('never used').waitFor();
    assert.equal(await calendar(), 207);
    await page.reload();
    await section.getByText('last used').waitFor();
    assert.equal(await page.getByText(secret).count(), 0, 'not a second time');
    await section.getByRole('button', { name: `End: ${name}` }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText(name).waitFor();
    await question.getByRole('button', { name: 'End' }).click();
    await section.getByText(name).waitFor({ state: 'detached' });
    assert.equal(await calendar(), 401);
  });
}
