import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Config } from '../config/env.js';
import { Metrics } from './metrics.js';
import { Readiness } from './readiness.js';

/**
 * Reports full disks: for the database, which then refuses commands but still answers reads, a metric and a check that
 * is not vital; for the folders that this process writes to, the free space.
 */
@Injectable()
export class DiskSpace implements OnApplicationBootstrap {
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
