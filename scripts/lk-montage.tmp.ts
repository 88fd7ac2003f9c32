import { chromium } from 'playwright-core';
import { readFileSync } from 'node:fs';
const [out, cols, w, ...files] = process.argv.slice(2);
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu'] });
const p = await b.newPage({ viewport: { width: Number(cols)*Number(w)+20, height: 600 } });
await p.setContent(`<body style="margin:0;display:grid;grid-template-columns:repeat(${cols},${w}px);gap:4px">`+files.map(f=>`<img width=${w} src="data:image/png;base64,${readFileSync(f).toString('base64')}">`).join(''));
await p.screenshot({ path: out, fullPage: true }); await b.close();
