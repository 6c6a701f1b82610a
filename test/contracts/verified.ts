import { QueryBus } from '@nestjs/cqrs';
import { VerifySignature } from '../../backend/modules/contracts/verification.queries.js';
import type { TestApp } from '../support/app.js';

/** What a verification code says to anybody. */
export const verified = ({ nest }: Pick<TestApp, 'nest'>, code: string) =>
  nest.get(QueryBus).execute(new VerifySignature(code));
