import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { IntegrityChecks, integrityCheck, integrityChecksDue } from './integrity-checks.service.js';
import { SealBucket } from './seal-bucket.service.js';
import { SealFiles } from './seal-files.service.js';
import { sealsApi } from './seals.api.js';
import { SealsController } from './seals.controller.js';
import { SealsJob, sealsDue } from './seals.job.js';
import { FindSealedHandler, ShowIntegrity } from './seals.queries.js';
import { verifySeals } from './verify-seals.service.js';

/**
 * The hash chain shows a change inside of a log, but not that its end was cut off, nor that all of it was written anew. So each day is
 * sealed outside the database (`seals.job.ts`): a file with the head of every tenant's log as it was when the day ended, the root
 * of their Merkle tree, and a signature (`seal-files.service.ts`). Each record holds the hash of the one before, and with
 * `TIMESTAMP_URL` each file has a time stamp beside it. A trainer verifies the own log on a page: a worker computes the chain and
 * compares all seals (`seal-check.service.ts`), and the result is kept for a year with what the trainer can keep elsewhere, which is the
 * newest record with the way from the own head to its root. A restored backup is older than seals: that is said as such.
 */
@Module(
  together(serve(sealsApi, { show: ShowIntegrity }), {
    controllers: [SealsController],
    providers: [SealFiles, SealBucket, SealsJob, IntegrityChecks, FindSealedHandler],
  }),
)
export class SealsModule {
  static readonly feature: Feature = {
    jobs: [sealsDue, integrityCheck, integrityChecksDue],
    purges: [`delete from integrity_checks where requested_at < now() - interval '1 year'`],
    commands: { 'seals:verify': verifySeals },
    ownData: {
      trainer: {
        'verificacoes-de-integridade': `select id, requested_at as pedida_em, done_at as concluida_em, result as resultado
          from integrity_checks order by requested_at, id`,
      },
    },
  };
}
