import { chromium } from 'playwright-core';
import { mkdirSync } from 'node:fs';
const [url, out, user, which, ...hashes] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu'] });
const ALL = { desk:[{width:1440,height:900},'light'], mid:[{width:1024,height:768},'light'], phone:[{width:390,height:844},'light'], dark:[{width:1440,height:900},'dark'], phonedark:[{width:390,height:844},'dark'], tiny:[{width:320,height:640},'light'] } as const;
const locale = process.env.LOC ?? 'en-GB';
for (const name of which.split(',')) {
  const [viewport, scheme] = (ALL as any)[name];
  const ctx = await browser.newContext({ viewport, colorScheme: scheme, locale, serviceWorkers: 'block' });
  const page = await ctx.newPage();
  page.on('console', m => { if (m.type()==='error') console.log(name, m.text()); });
  page.on('pageerror', e => console.log(name, String(e)));
  if (user !== '-') await ctx.request.post(`${url}svc/a/login`, { data: { username: user, password: process.env.PW ?? user } });
  await page.goto(`${url}svc/a/landing.html`);
  for (const h of hashes) {
    const i = h.indexOf('='); const [id, hash] = [h.slice(0,i), h.slice(i+1)];
    await page.evaluate((x) => { location.hash = x }, hash);
    await page.waitForTimeout(300);
    await page.waitForFunction(() => !document.querySelector('.stage .skeleton'), null, { timeout: 8000 }).catch(() => {});
    await page.waitForTimeout(700);
    await page.screenshot({ path: `${out}/${id}-${name}.png` });
  }
  await ctx.close();
}
await browser.close();
