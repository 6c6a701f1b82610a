import { Redis } from 'ioredis';
import { redisProcess } from '../../support/redis.js';

/** The test file's own Redis, which may be killed. It has no persistence: it is empty after a restart. */
export interface OwnRedis {
  url: string;
  crash(): Promise<void>;
  restart(): Promise<void>;
  /** Stops answering without closing anything, until `thaw`. */
  freeze(): void;
  thaw(): void;
  flush(): Promise<void>;
  keys(): Promise<string[]>;
}

export async function ownRedis(): Promise<OwnRedis> {
  let server = await redisProcess();
  const { url } = server;
  const asked = async <Answer>(ask: (client: Redis) => Promise<Answer>): Promise<Answer> => {
    const client = new Redis(url);
    try {
      return await ask(client);
    } finally {
      client.disconnect();
    }
  };
  return {
    url,
    crash: () => server.kill(),
    async restart() {
      server = await redisProcess(Number(new URL(url).port));
    },
    freeze: () => void server.process.kill('SIGSTOP'),
    thaw: () => void server.process.kill('SIGCONT'),
    flush: () => asked(async (client) => void (await client.flushall())),
    keys: () => asked((client) => client.keys('*')),
  };
}
