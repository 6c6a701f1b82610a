import { Module } from '@nestjs/common';
import { serve } from '../../platform/http/serve.js';
import { definePrice } from '../audit/price.queries.js';
import { billedAgain } from '../charges/monthly-plans.queries.js';
import { enrolmentApi } from './enrolment.api.js';
import { RegisterStudent, RestoreStudent, UpdateStudent } from './enrolment.commands.js';

/** What changes a student together with the agreement or the access: registering, editing, bringing back. */
@Module(
  serve(enrolmentApi, {
    register: RegisterStudent,
    restore: RestoreStudent,
    restorePrice: definePrice<[string]>('PriceRestoreStudent', RestoreStudent, undefined, (reading, id) =>
      billedAgain(reading, id, 'archived'),
    ),
    update: UpdateStudent,
  }),
)
export class EnrolmentModule {}
