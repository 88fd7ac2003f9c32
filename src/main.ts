// The program: command line → command; signals; exit codes: 0 done, 1 could not start or do it, 2 wrong usage. What a
// command needs is loaded when it is known which one it is.

import { inspect } from 'node:util';
import type { CreatedAdmin } from './backend/maintenance/bootstrap.ts';
import { startBackendThread } from './backend/start.ts';
import { WORKER_COMMAND } from './cli/command-table.ts';
import { operatorLog, RequestLog } from './cli/log.ts';
import { isEmbedded, UsageError } from './cli/option-values.ts';
import { parseCommandLine } from './cli/options.ts';
import type { ServeOptions } from './cli/serve-options.ts';
import { changedSettings, type Setting } from './cli/settings.ts';
import { readableStack, version } from './system/assets.ts';
import { forOperator, systemWords } from './system/operator-errors.ts';
import { notifyServiceManager } from './system/process.ts';
import { wordsLine } from './telemetry/log-line.ts';

watchOutput();
run().catch(fail);

async function run(): Promise<void> {
  if (process.argv[2] === WORKER_COMMAND && process.channel) {
    const { serveAsWorker } = await import('./serve/worker.ts');
    serveAsWorker();
    return;
  }
  const commandLine = parseCommandLine(process.argv.slice(2));
  switch (commandLine.command) {
    case 'serve':
      await serve(commandLine.options, commandLine.settings);
      break;
    case 'user':
      await (await import('./cli/user.ts')).runUserCommand(commandLine, announceAdmin);
      break;
    case 'store':
      (await import('./cli/store.ts')).runStoreCommand(commandLine);
      break;
    case 'doctor': {
      const { runDoctor } = await import('./extra/doctor/doctor.ts');
      process.exitCode = (await runDoctor(commandLine, (line) => console.log(line))) ? 0 : 1;
      break;
    }
    case 'copy':
      process.exitCode = await (await import('./extra/migrate/command.ts')).runCopyCommand(commandLine, announceAdmin);
      break;
    case 'completion':
      process.stdout.write((await import('./extra/manual/manual.ts')).completionScript(commandLine.shell));
      break;
    case 'man':
      process.stdout.write((await import('./extra/manual/manual.ts')).manualPage(version()));
      break;
    default:
      console.log(commandLine.text.replace(/\n$/, ''));
  }
}

async function serve(options: ServeOptions, settings: readonly Setting[]): Promise<void> {
  // loads its script while this thread loads what is its own
  const backendThread = options.backends.some(isEmbedded) ? startBackendThread() : undefined;
  const { start } = await import('./serve/start.ts');
  let { logFormat } = options;
  const format = () => logFormat;
  const say = (text: string) => console.error(wordsLine(logFormat, text));
  const requestLog = new RequestLog((text) => process.stderr.write(text), format);
  const gateway = await start(
    options,
    operatorLog((entry) => console.error(entry), format),
    {
      tellAdmin: (admin) => say(adminText(admin)),
      logRequest: (entry) => requestLog.add(entry),
      tell: say,
      backendThread,
    },
  );
  const { backend, adminUrl } = gateway;
  if (backend?.lineListenUrl) say(`Line protocol on ${backend.lineListenUrl}`);
  if (adminUrl) say(`Health and metrics on ${adminUrl}`);
  console.log(`Listening on ${gateway.url}`);
  const notify = async (...words: string[]) => {
    const fault = options.isManaged ? await notifyServiceManager(words) : undefined;
    if (fault !== undefined) say(fault);
  };
  void notify('READY=1', `STATUS=Listening on ${gateway.url}`);
  let isStopping = false;
  const stop = () => {
    if (isStopping) process.exit(1); // the second signal does not wait
    isStopping = true;
    void notify('STOPPING=1', 'STATUS=Finishing what runs');
    gateway.close().then(
      () => {
        requestLog.flush();
        process.exit(0);
      },
      (error) => fail(error),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  let current = settings;
  process.on('SIGHUP', () => {
    current = reload(current, say, (changed) => {
      logFormat = changed.logFormat;
      gateway.reload(changed);
    });
  });
  backend?.failed.then((error) => fail(error));
}

/** Reads the options again; what is wrong, or cannot change now, stays as it is. Answers the settings that count. */
function reload(
  before: readonly Setting[],
  say: (text: string) => void,
  apply: (options: ServeOptions) => void,
): readonly Setting[] {
  try {
    const again = parseCommandLine(process.argv.slice(2));
    if (again.command !== 'serve') return before;
    const { live, fixed } = changedSettings(before, again.settings);
    apply(again.options);
    say(`Reloaded: ${live.join(', ') || 'nothing has changed'}`);
    if (fixed.length > 0) say(`These need a restart: ${fixed.join(', ')}`);
    return before.map((old) => again.settings.find(({ name }) => name === old.name && live.includes(name)) ?? old);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    say(`Nothing was reloaded: ${error.message}`);
    return before;
  }
}

function announceAdmin(admin: CreatedAdmin): void {
  console.error(adminText(admin));
}

function adminText({ name, password, generated }: CreatedAdmin): string {
  return `Created the account ${name}${generated ? ` with the password ${password} (shown only once)` : ''}`;
}

function fail(error: unknown): never {
  if (error instanceof UsageError) {
    console.error(error.message);
    process.exit(2);
  }
  const { path, code, message } = error as NodeJS.ErrnoException;
  const words = systemWords(error);
  if (words !== undefined) console.error(`${path ?? message}: ${words}.`);
  else console.error(code === undefined ? readableStack(inspect(error)) : message);
  process.exit(1);
}

/** A reader of the output may stop: `vestibule user list | head -1`. Output that a full disk refuses is an error. */
function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') fail(forOperator(error, 'The output cannot be written'));
  });
  process.stderr.on('error', () => {});
}
