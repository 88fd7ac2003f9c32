// Runs in the browser, see posted-scripts.clients.ts: logs in, and makes the page load what somebody has posted, in
// every way in which a script or a style sheet can be loaded. Answers what of it ran.

// biome-ignore lint/correctness/noUnusedVariables: called by the text that is evaluated behind this one
async function codeThatRan({ scripts, style, script }) {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } };
  await fetch('/svc/a/login', { ...json, body: JSON.stringify({ username: 'alice', password: 'alice' }) });
  const type = { 'content-type': 'text/javascript' };
  const sent = await fetch('/svc/p?filename=x.js', { method: 'POST', headers: type, body: script });
  const [{ ref }] = await sent.json();
  const ran = [];
  const loaded = (name, fields) =>
    new Promise((resolve) => {
      const element = Object.assign(document.createElement(name), fields);
      element.onload = element.onerror = resolve;
      document.head.append(element);
    });
  const run = async (src, way, kind = '') => {
    const before = globalThis.ran ?? 0;
    await loaded('script', { src, type: kind });
    if ((globalThis.ran ?? 0) > before) ran.push(`${src} ${way}`);
  };
  for (const path of [...scripts, `/svc/p/${ref}`]) {
    await run(path, 'as a script');
    await run(path, 'as a module', 'module');
    const isAnswered = await new Promise((resolve) => {
      const worker = new Worker(path);
      worker.onmessage = () => resolve(true);
      worker.onerror = () => resolve(false);
    });
    if (isAnswered) ran.push(`${path} as a worker`);
    // once a page has it, the browser may take it from its cache
    const fetched = await fetch(path);
    if (!(await fetched.text()).includes('ran')) ran.push(`${path} cannot be fetched`);
    await run(path, 'as a script, fetched before');
    const preloaded = `${path}?again`;
    await loaded('link', { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: preloaded });
    await run(preloaded, 'as a script, preloaded');
  }
  await loaded('link', { rel: 'stylesheet', href: style });
  if (getComputedStyle(document.body).color === 'rgb(1, 2, 3)') ran.push(`${style} as a style sheet`);
  return ran;
}
