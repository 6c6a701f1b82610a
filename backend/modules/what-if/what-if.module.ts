import { Module } from '@nestjs/common';
import { serve } from '../../platform/http/serve.js';
import { whatIfApi } from './what-if.api.js';
import { TryHours, TryPlan, TryPolicy, TryStudents, TryVacation } from './what-if.queries.js';

/**
 * What would be different: the past 90 days with another price of a plan, other terms of cancellation, without some hours or with a
 * vacation, and the months to come without some students. Nothing is recorded.
 *
 * - A price touches the plan's charges that were issued at its price of then, which the log says, and the monthly plans that are to
 *   be billed at its price of now. A price that was agreed with a student stays.
 * - Terms of cancellation decide each cancellation and no-show anew, by the function that a cancellation itself is decided by. A
 *   credit that is used counts by the session's value.
 * - Sessions count by the value that they were settled at, those to come by that of the student's last one.
 * - Students who would leave take the lines of previsto with them.
 */
@Module(
  serve(whatIfApi, {
    plan: TryPlan,
    policy: TryPolicy,
    hours: TryHours,
    vacation: TryVacation,
    students: TryStudents,
  }),
)
export class WhatIfModule {}
