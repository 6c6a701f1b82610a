import { statfs } from 'node:fs/promises';
import path from 'node:path';
import {
  Global,
  Module,
  Controller,
  Get,
  Res,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Gauge } from 'prom-client';
import type { FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import { Config } from '../config/env.js';
import { Route } from '../http/route.js';
import { Metrics } from './metrics.js';
import { Readiness, type Health } from './readiness.js';
import { ErrorTrap } from './error-trap.js';
import { OpsServer } from './ops-server.js';
import { Tracing } from './tracing.js';

/**
 * Reports full disks: for the database, which then refuses commands but still answers reads, a metric and a check that
 * is not vital; for the folders that this process writes to, the free space.
 */
@Injectable()
class DiskSpace implements OnApplicationBootstrap {
  constructor(
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly readiness: Readiness,
  ) {}

  onApplicationBootstrap(): void {
    const isFull = () => this.metrics.isDatabaseFull;
    this.readiness.register(
      'writes',
      () => (isFull() ? Promise.reject(new Error('the disk of the database is full')) : Promise.resolve()),
      { vital: false },
    );
    const { mailFolder: mail, forgottenFile, sealsFolder: seals } = this.config;
    const folders = { mail, forgotten: path.dirname(forgottenFile), seals };
    const gauge: Gauge<'folder'> = new Gauge({
      name: 'rende_disk_free_bytes',
      help: 'Space that is left on the disk of a folder',
      labelNames: ['folder'],
      registers: [this.metrics.registry],
      collect: async () => {
        for (const [folder, place] of Object.entries(folders)) {
          // The folder is created together with its first file.
          const disk = await statfs(place).catch(() => undefined);
          if (disk) gauge.set({ folder }, disk.bavail * disk.bsize);
        }
      },
    });
  }
}

const state = z.enum(['ok', 'unavailable']);
const health = z.object({ status: state, checks: z.record(z.string(), state) });

@Controller('health')
class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @Route({ summary: 'Diz se o processo está no ar', public: true, answer: z.object({ status: state }) })
  live() {
    return { status: 'ok' };
  }

  @Get('ready')
  @Route({
    summary: 'Diz se o processo pode receber pedidos; 503 enquanto não pode',
    public: true,
    answer: health,
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Health> {
    const found = await this.readiness.look();
    if (found.status !== 'ok') reply.status(503);
    return found;
  }
}

@Global()
@Module({
  controllers: [HealthController],
  providers: [Metrics, ErrorTrap, Readiness, DiskSpace, OpsServer, Tracing.provider],
  exports: [Metrics, ErrorTrap, Readiness, Tracing],
})
export class OpsModule {}
