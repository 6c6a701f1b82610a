import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { atEnd } from '../../../test/support/cleanup.js';
import { s3Server, signatureOf } from '../../../test/support/s3-server.js';
import { timeStampServer } from '../../../test/support/time-stamp-server.js';
import { Config } from '../../platform/config/env.js';
import { describeError } from '../../platform/ops/logger.js';
import { SealBucket } from './seal-bucket.service.js';
import { SealFiles } from './seal-files.service.js';

const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03'];
const leaf = { tenantId: '11111111-1111-4111-8111-111111111111', position: 7, head: 'ab'.repeat(32) };

let s3: Awaited<ReturnType<typeof s3Server>>;
let folder: string;
let files: SealFiles;
let bucket: SealBucket;

/** A folder with three seals, the first of which has a time stamp, and an empty bucket. */
beforeEach(async () => {
  s3 = await s3Server();
  folder = await mkdtemp(path.join(tmpdir(), 'rende-bucket-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  [files, bucket] = instance();
  for (const day of DAYS) await files.write(day, new Date(), null, [leaf]);
  const stamps = await timeStampServer(new Date());
  await files.stamp(DAYS[0]!, stamps.url);
});

function instance(masterKey = Buffer.alloc(32)): [SealFiles, SealBucket] {
  const { SEALS_BUCKET: url, SEALS_BUCKET_REGION: region, SEALS_BUCKET_KEY: key } = s3.env;
  const sealsBucket = { url: url!, region: region!, key: key!, secret: s3.env.SEALS_BUCKET_SECRET! };
  const config = Object.assign(new Config(), { sealsFolder: folder, masterKey, sealsBucket });
  const own = new SealFiles(config);
  return [own, new SealBucket(config, own)];
}

const here = async () =>
  new Map(
    await Promise.all(
      (await readdir(folder))
        .sort()
        .map(async (name) => [name, await readFile(path.join(folder, name))] as const),
    ),
  );
const texts = async () => (await bucket.differences()).map(({ outcome, text }) => `${outcome}: ${text}`);
const puts = () => s3.requests.filter((each) => each.startsWith('PUT'));

/** Writes over a file of the folder. */
async function change(name: string, content: string): Promise<void> {
  await chmod(path.join(folder, name), 0o600);
  await writeFile(path.join(folder, name), content);
}

it("the server of these tests checks signatures as Amazon does: that of the example's documentation", () => {
  const headers = {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=',
  };
  const account = { region: 'us-east-1', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
  expect(signatureOf({ method: 'GET', url: '/test.txt', headers }, account)).toBe(
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
});

describe('the copy in the bucket', () => {
  it('is made of all seals and time stamps, once', async () => {
    await bucket.fill();
    expect([...s3.objects]).toEqual([...(await here())]);
    await bucket.fill();
    expect(puts()).toHaveLength(4);
    expect(await bucket.differences()).toEqual([]);
  });

  it('is complete where the server names its objects in several answers', async () => {
    s3.flaws = { page: 1 };
    await bucket.fill();
    expect(await bucket.differences()).toEqual([]);
    await bucket.fill();
    expect(puts()).toHaveLength(4);
  });

  it('is not replaced where another worker has put a file there meanwhile', async () => {
    const other = Buffer.from('theirs');
    const { objects } = s3;
    s3.flaws = { hidden: '2026-03-02.seal' };
    objects.set('2026-03-02.seal', other);
    await bucket.fill();
    expect([objects.get('2026-03-02.seal'), objects.size]).toEqual([other, 4]);
    expect(puts().some((each) => each.endsWith('2026-03-02.seal 412'))).toBe(true);
  });

  it('is compared by its bytes where the server does not say their MD5', async () => {
    await bucket.fill();
    s3.flaws = { opaqueEtags: true };
    expect(await bucket.differences()).toEqual([]);
    s3.objects.get('2026-03-02.seal')![5] = 0;
    expect(await texts()).toEqual(['alterado: O lacre de 02/03/2026 é outro na cópia externa.']);
  });

  it('is not what the folder has, in both directions: both stay as they are, and it is said', async () => {
    await bucket.fill();
    s3.objects.set('2026-03-01.tst', Buffer.from('x'));
    await change('2026-03-02.seal', 'y');
    const before = [await here(), new Map(s3.objects)];
    await bucket.restore();
    await bucket.fill();
    expect([await here(), new Map(s3.objects)]).toEqual(before);
    expect(await texts()).toEqual([
      'alterado: O carimbo do tempo do lacre de 01/03/2026 é outro na cópia externa.',
      'alterado: O lacre de 02/03/2026 é outro na cópia externa.',
    ]);
  });

  it('says what only one of both has, and other objects in the bucket are not looked at', async () => {
    await bucket.fill();
    s3.objects.set('leia-me.txt', Buffer.from('x'));
    s3.objects.delete('2026-03-02.seal');
    s3.objects.delete('2026-03-03.seal');
    await rm(path.join(folder, '2026-03-01.tst'));
    expect(await texts()).toEqual([
      'faltam_lacres: 2 arquivos de lacre faltam na cópia externa, o primeiro de 02/03/2026.',
      'faltam_lacres: 1 arquivo de lacre só está na cópia externa, o primeiro de 01/03/2026.',
    ]);
  });
});

describe('a lost folder', () => {
  it('is filled from the bucket again', async () => {
    await bucket.fill();
    const before = await here();
    await rm(folder, { recursive: true });
    await files.open();
    await bucket.restore();
    expect(await here()).toEqual(before);
    expect(await bucket.differences()).toEqual([]);
  });

  it('takes no file that is not signed with the key of this instance, and goes on with the others', async () => {
    await bucket.fill();
    for (const name of await files.names()) await rm(path.join(folder, name));
    s3.objects.set('2026-03-01.seal', Buffer.from('{"version":1}\nabc\n'));
    s3.objects.set('2026-02-01.seal', s3.objects.get('2026-03-02.seal')!);
    s3.objects.set('2026-03-02.tst', Buffer.from('no time stamp'));
    await bucket.restore();
    expect(await files.names()).toEqual(['2026-03-02.seal', '2026-03-03.seal']);
    const [, ofAnother] = instance(Buffer.alloc(32, 1));
    for (const name of await files.names()) await rm(path.join(folder, name));
    await ofAnother.restore();
    expect(await files.names()).toEqual([]);
  });
});

describe('a bucket with files that are no seals', () => {
  const days = Array.from({ length: 12 }, (_, n) => `2026-01-${String(n + 1).padStart(2, '0')}`);
  const gets = () => s3.requests.filter((each) => each.includes('.seal')).length;

  it('is asked for each of them once, while it is the same, and for ten in one run', async () => {
    for (const day of days) s3.objects.set(`${day}.seal`, Buffer.from(day));
    await expect(bucket.restore()).rejects.toThrow('many files that are no seals');
    expect(gets()).toBe(10);
    await bucket.restore();
    expect(gets()).toBe(12);
    await bucket.restore();
    expect(gets()).toBe(12);
    s3.objects.set('2026-01-01.seal', Buffer.from('another'));
    await bucket.restore();
    expect(gets()).toBe(13);
  });

  it('gives a lost seal all the same', async () => {
    await bucket.fill();
    await rm(path.join(folder, '2026-03-02.seal'));
    for (const day of days) s3.objects.set(`${day}.seal`, Buffer.from(day));
    await bucket.restore().catch(() => undefined);
    await bucket.restore();
    expect(await files.names()).toContain('2026-03-02.seal');
  });
});

describe('a bucket that fails', () => {
  const away: [string, () => unknown, RegExp][] = [
    ['that is not there', () => (s3.env.SEALS_BUCKET = 'http://127.0.0.1:9/lacres'), /fetch failed/],
    ['with a wrong secret', () => (s3.env.SEALS_BUCKET_SECRET = 'errado'), /answered 403/],
    ['of another name', () => (s3.env.SEALS_BUCKET += '2'), /answered 404/],
    ['that answers 500', () => (s3.flaws = { status: 500 }), /answered 500/],
    ['that redirects', () => (s3.flaws = { status: 301 }), /answered 301|fetch failed/],
    ['that never answers', () => (s3.flaws = { silent: true }), /timeout/],
    ['whose answer is no list', () => (s3.flaws = { status: 200 }), /no whole list/],
    [
      'whose answer has ten thousand elements in each other',
      () => (s3.flaws = { status: 200, content: '<a>'.repeat(10_000) }),
      /gave no list/,
    ],
    ['whose answer is cut off', () => (s3.flaws = { half: true }), /terminated/],
  ];

  it.each(away)('%s is reported, and changes nothing', async (_what, make, message) => {
    await bucket.fill();
    const before = [await here(), new Map(s3.objects)];
    make();
    [files, bucket] = instance();
    if (s3.flaws.silent) bucket.timeoutMs = 300;
    for (const work of [() => bucket.restore(), () => bucket.fill(), () => bucket.differences()])
      await expect(work()).rejects.toThrow(message);
    expect([await here(), new Map(s3.objects)]).toEqual(before);
  });

  it('while it gives a file leaves none of it in the folder', async () => {
    await bucket.fill();
    await rm(path.join(folder, '2026-03-03.seal'));
    const get = s3.objects.get.bind(s3.objects);
    s3.objects.get = (name) => {
      s3.flaws = { half: true };
      return get(name);
    };
    s3.flaws = { opaqueEtags: true };
    await expect(bucket.restore()).rejects.toThrow();
    expect((await readdir(folder)).sort()).toEqual(['2026-03-01.seal', '2026-03-01.tst', '2026-03-02.seal']);
    s3.objects.get = get;
    s3.flaws = {};
    await bucket.restore();
    expect(await bucket.differences()).toEqual([]);
  });

  it('is not asked for a file of which it names no size', async () => {
    const key = '<Contents><Key>2026-02-01.seal</Key></Contents>';
    s3.flaws = { status: 200, content: `<ListBucketResult>${key}</ListBucketResult>` };
    await expect(bucket.restore()).rejects.toThrow(/too large/);
    expect(s3.requests).toHaveLength(1);
  });

  it('names its secret nowhere', async () => {
    s3.flaws = { status: 500 };
    const failed = await bucket.fill().catch(describeError);
    expect(failed).toMatchObject({ message: 'the bucket answered 500' });
    expect(JSON.stringify(failed)).not.toContain(s3.env.SEALS_BUCKET_SECRET);
  });
});
