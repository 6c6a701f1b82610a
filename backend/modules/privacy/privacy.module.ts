import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { person } from './person.js';
import { ForgetStudentHandler } from './privacy.commands.js';
import { PrivacyController } from './privacy.controller.js';
import { privacyHistory } from './privacy.history.js';

@Module({ controllers: [PrivacyController], providers: [ForgetStudentHandler] })
export class PrivacyModule {
  static readonly feature: Feature = { aggregates: [person], history: privacyHistory };
}
