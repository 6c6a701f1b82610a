import { Injectable } from '@nestjs/common';
import { projectTenants } from '../jobs/platform-jobs.js';
import { Queues } from '../jobs/queues.js';
import { TenantJobs } from '../jobs/tenant-jobs.js';

/** Makes workers project tenants that have new events. */
@Injectable()
export class ProjectorWake {
  private readonly jobs: TenantJobs;

  constructor(queues: Queues) {
    this.jobs = new TenantJobs(queues, projectTenants);
  }

  committed(tenantId: string): void {
    this.jobs.add([tenantId]);
  }
}
