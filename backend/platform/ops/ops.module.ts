import { Global, Module } from '@nestjs/common';
import { DiskSpace } from './disk-space.js';
import { HealthController } from './health.controller.js';
import { ErrorTrap } from './error-trap.js';
import { Metrics } from './metrics.js';
import { OpsServer } from './ops-server.js';
import { Readiness } from './readiness.js';

@Global()
@Module({
  controllers: [HealthController],
  providers: [Metrics, ErrorTrap, Readiness, DiskSpace, OpsServer],
  exports: [Metrics, ErrorTrap, Readiness],
})
export class OpsModule {}
