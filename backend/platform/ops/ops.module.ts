import { Global, Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { Metrics } from './metrics.js';
import { OpsServer } from './ops-server.js';
import { Readiness } from './readiness.js';

@Global()
@Module({
  controllers: [HealthController],
  providers: [Metrics, Readiness, OpsServer],
  exports: [Metrics, Readiness],
})
export class OpsModule {}
