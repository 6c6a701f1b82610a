import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { studentPause } from './student-pause.js';
import { vacation, vacationCalendar } from './vacation.js';

/** Who is away when: pauses of students and vacations of the trainer, which credits, charges and the agenda go by. */
@Module({})
export class AwayModule {
  static readonly feature: Feature = { aggregates: [studentPause, vacationCalendar, vacation] };
}
