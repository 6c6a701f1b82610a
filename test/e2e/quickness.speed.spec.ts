import { execFile, execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { studentAccount } from '../accounts/own-data.js';
import { openProfile } from '../support/browser.js';
import { Client } from '../support/client.js';
import { describeWithChromium } from '../support/needs.js';
import { settle } from '../support/onboarding.js';
import { signUp, type Trainer } from '../support/people.js';
import { startProcess, type TestProcess } from '../support/process.js';
import {
  Hand,
  slowdownOn,
  throughACrowd,
  throughALongList,
  throughTheCalendar,
  throughTheDialogs,
  throughTheList,
  throughTheOwnArea,
} from './quickness-hands.js';
import { pagesByLink } from './quickness-links.js';
import { crowd, fillTheList, keepBusy, ownAreaOf } from './quickness-trainer.js';
import { signIn } from './trainer-screen.js';

/** Maximum times, and the minimum score. */
interface Limits {
  lcpMs: number;
  blockedMs: number;
  performance: number;
}
const ours: Limits = { lcpMs: 2500, blockedMs: 200, performance: 0.9 };
/** For visitors who come from a link and do not know Rende. */
const visitors: Limits = { lcpMs: 1800, blockedMs: 150, performance: 0.95 };
const SHIFT = 0.05;
/** Maximum time from a tap or key to the next paint (INP). */
const WAIT_MS = 100;
/** Several, because other load on the machine can make a try slower, but never faster. */
const TRIES = 12;

/** What anybody has who comes from a link: a phone with a weak signal ("slow 3G"). */
const WEAK = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
/** Maximum size of what a link opens, as it is sent, and the time until its text is seen with a weak signal. */
const LINK_KB = 60;
const TEXT_MS = 1500;

/** Started by npx, because only this file needs it, and it is a sixth of all packages. */
const LIGHTHOUSE = ['--yes', 'lighthouse@12.8.2', '--quiet', '--no-enable-error-reporting'];
const AS_ON_A_PHONE = [
  '--output=json',
  '--disable-storage-reset',
  '--disable-full-page-screenshot',
  '--only-categories=performance,accessibility,best-practices',
];

/** What is read of Lighthouse's result. */
interface Result {
  runtimeError?: object;
  environment: { benchmarkIndex: number };
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { title: string; score: number | null; numericValue?: number }>;
}

type Served = Pick<TestProcess, 'url'>;
type Stored = readonly { name: string; value: string }[];

const last = availableParallelism() - 1;
/** The page gets the last processor for itself, as on a phone: the server and the measuring process use the others. */
const isApart = last > 0 && process.platform === 'linux';
const keepTo = (processors: string, ...pids: number[]) =>
  pids.forEach((pid) => isApart && execFileSync('taskset', ['-acp', processors, String(pid)]));
const open = (app: Served) => openProfile(app, isApart ? [`--renderer-cmd-prefix=taskset -c ${last}`] : []);

/** Opens a phone, with somebody signed in. */
async function phoneOf(app: Served, who: Parameters<typeof signIn>[1]) {
  const phone = await open(app);
  await phone.page.setViewportSize({ width: 390, height: 844 });
  await phone.page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn(phone.page, who);
  return phone;
}

/** Runs Lighthouse with its settings for phones and a processor as slow as theirs, in a browser with this stored session and no cached application. */
async function look(app: Served, path: string, stored: Stored): Promise<Result> {
  const { page, port, close } = await open(app);
  // A file without scripts, because scripts that ran before would slow the browser down.
  await page.goto('/icon.svg');
  await page.evaluate(
    `for (const { name, value } of ${JSON.stringify(stored)}) localStorage.setItem(name, value);`,
  );
  await page.goto('about:blank');
  const slowdown = await slowdownOn(page);
  const slowed = `--throttling.cpuSlowdownMultiplier=${slowdown}`;
  const args = [...LIGHTHOUSE, ...AS_ON_A_PHONE, slowed, `--port=${port}`, app.url + path];
  // It fails after it has printed the result of a page that it could not measure.
  const { stdout } = await promisify(execFile)('npx', args, { maxBuffer: 64 * 2 ** 20 }).catch(
    (error: Error & { stdout: string }) => {
      if (!error.stdout) throw error;
      return error;
    },
  );
  await close();
  return JSON.parse(stdout) as Result;
}

/** What a page that is opened for the first time fetches, and when its text is seen: the best of several tries. */
async function withWeakSignal(app: Served, path: string) {
  let textMs = Infinity;
  let [title, kilobytes] = ['', 0];
  for (let tries = 0; tries < TRIES && textMs > TEXT_MS; tries += 1) {
    const { page, close } = await open(app);
    const network = await page.context().newCDPSession(page);
    let bytes = 0;
    network.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', WEAK);
    const answer = await page.goto(path, { waitUntil: 'networkidle' });
    if (answer?.status() !== 200) throw new Error(`${path} was answered with ${answer?.status()}`);
    const seen = await page.evaluate<number>(
      "performance.getEntriesByName('first-contentful-paint')[0].startTime",
    );
    title = await page.locator('h1').innerText();
    await close();
    textMs = Math.min(textMs, seen);
    kilobytes = bytes / 1000;
  }
  return { title, textMs, kilobytes };
}

/** Violated limits, by the name of the figure. */
function faultsOf({ categories, audits, environment }: Result, limits: Limits): Map<string, string> {
  const value = (id: string) => audits[id]?.numericValue ?? Infinity;
  const score = categories.performance!.score ?? 0;
  const figures: [string, number, boolean][] = [
    ['performance', score, score >= limits.performance],
    ['LCP', value('largest-contentful-paint'), value('largest-contentful-paint') <= limits.lcpMs],
    ['TBT', value('total-blocking-time'), value('total-blocking-time') <= limits.blockedMs],
    ['CLS', value('cumulative-layout-shift'), value('cumulative-layout-shift') <= SHIFT],
  ];
  console.log(JSON.stringify([environment.benchmarkIndex, ...figures]));
  const slow = figures.filter(([, , holds]) => !holds).map(([name, figure]) => [name, `${name} ${figure}`]);
  const failed = ['accessibility', 'best-practices'].flatMap((category) =>
    categories[category]!.auditRefs.filter(
      ({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1,
    ).map(({ id }) => [id, `${category}: ${audits[id]!.title}`]),
  );
  return new Map([...slow, ...failed] as [string, string][]);
}

/** The limits that were violated in all tries, so that the best value of each figure counts. */
async function lighthouseOn(
  app: Served,
  path: string,
  { stored = [], limits = ours }: { stored?: Stored; limits?: Limits } = {},
): Promise<string[]> {
  let faults: Map<string, string> | null = null;
  for (let tries = 0; tries < TRIES && faults?.size !== 0; tries += 1) {
    const result = await look(app, path, stored);
    // On a busy machine, Lighthouse may miss the beginning of the page load.
    if (result.runtimeError) continue;
    const found = faultsOf(result, limits);
    const before: Map<string, string> = faults ?? found;
    faults = new Map([...before].filter(([about]) => found.has(about)));
  }
  return faults ? [...faults.values()] : ['Lighthouse measured nothing'];
}

describeWithChromium('how quick the pages are', () => {
  let app: TestProcess;
  let trainer: Trainer;
  let hand: Hand;
  let stored: Stored;

  beforeAll(async () => {
    app = await startProcess();
    keepTo(`0-${last - 1}`, process.pid, app.pid);
    trainer = await signUp(app);
    await settle(trainer.api);
    await keepBusy(trainer);
    const { page } = await phoneOf(app, trainer);
    stored = (await page.context().storageState()).origins[0]!.localStorage;
    hand = await Hand.at(page);
  });
  afterAll(() => keepTo(`0-${last}`, process.pid));

  it("opens the sign-in on a phone within Lighthouse's limits", async () => {
    expect(await lighthouseOn(app, '/auth')).toEqual([]);
  });

  it("opens the dashboard on a phone within Lighthouse's limits", async () => {
    expect(await lighthouseOn(app, '/', { stored })).toEqual([]);
  });

  it("opens a student’s home on a phone within Lighthouse's limits", async () => {
    // A student of another trainer, so that the tested list of students stays the same.
    const hers = await signUp(app);
    const { body } = await hers.api.post('/students', { nome: 'Bia Lima', whatsapp: '(11) 94321-4321' });
    const { person, password } = await studentAccount(app, hers, body.id, 'Bia Lima');
    const session = await new Client(app.url).request('POST', '/auth/v1/token', {
      query: { grant_type: 'password' },
      body: { email: person.email, password },
    });
    const own = [{ name: 'rende.auth', value: JSON.stringify(session.body) }];
    expect(await lighthouseOn(app, '/aluno', { stored: own })).toEqual([]);
  });

  it('shows what a link opens soon, also with a weak signal', async () => {
    const byLink = await pagesByLink();
    const slow: string[] = [];
    for (const [what, path] of Object.entries(byLink.paths)) {
      const { title, kilobytes, textMs } = await withWeakSignal(byLink.app, path);
      console.log(`${what}, “${title}”: ${kilobytes.toFixed(1)} kB, text after ${Math.round(textMs)} ms`);
      if (kilobytes > LINK_KB) slow.push(`${what} takes ${kilobytes} kB`);
      if (textMs > TEXT_MS) slow.push(`${what} shows its text after ${textMs} ms`);
      for (const fault of await lighthouseOn(byLink.app, path, { limits: visitors }))
        slow.push(`${what}: ${fault}`);
    }
    expect(slow).toEqual([]);
  });

  /** The taps and keys that were too slow in the best of several tries. */
  async function lateOn(someHand: Hand, go: (hand: Hand) => Promise<void>): Promise<[string, number][]> {
    let waits: Map<string, number> = new Map();
    const late = () => [...waits].filter(([, wait]) => wait > WAIT_MS);
    for (let tries = 0; tries < TRIES && (tries === 0 || late().length > 0); tries += 1) {
      const known = waits;
      waits = new Map(
        [...(await someHand.go(go))].map(([name, wait]) => [name, Math.min(wait, known.get(name) ?? wait)]),
      );
      console.log([...waits].sort(([, a], [, b]) => b - a));
    }
    return late();
  }

  it.each([
    ['the calendar', (to: Hand) => throughTheCalendar(to)],
    ['the list', throughTheList],
    ['the dialogs', throughTheDialogs],
  ])('answers each tap and key in %s within 100 ms on a phone', async (_, go) => {
    expect(await lateOn(hand, go)).toEqual([]);
  });

  it.each([
    ['a calendar with 2,016 sessions in the month', crowd, throughACrowd],
    ['a list with 2,000 students', fillTheList, throughALongList],
  ])('answers each tap and key in %s within 100 ms, too', async (_, fill, go) => {
    const crowded = await signUp(app);
    await settle(crowded.api);
    await fill(crowded);
    const { page, close } = await phoneOf(app, crowded);
    expect(await lateOn(await Hand.at(page), go)).toEqual([]);
    await close();
  });

  it('answers each tap and key of a student within 100 ms, too', async () => {
    const hers = await signUp(app);
    await settle(hers.api);
    const student = await ownAreaOf(app, hers);
    const { page, close } = await phoneOf(app, student);
    expect(await lateOn(await Hand.at(page), throughTheOwnArea)).toEqual([]);
    await close();
  });
});
