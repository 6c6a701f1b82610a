import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { defineQuery } from '../../platform/database/define-query.js';
import { Profiles } from './users/profiles.service.js';

/** The CPF of the caller's account; null if unknown. */
export const FindCpf = defineQuery('FindCpf', { profiles: Profiles }, ({ context }, { profiles }) =>
  profiles.cpfOf(context.userId),
);

/** The phone of a user's account in E.164; null if unknown. */
export class FindPhone extends Query<string | null> {
  constructor(readonly userId: string) {
    super();
  }
}

@QueryHandler(FindPhone)
export class FindPhoneHandler implements IQueryHandler<FindPhone> {
  constructor(private readonly profiles: Profiles) {}

  execute({ userId }: FindPhone): Promise<string | null> {
    return this.profiles.phoneOf(userId);
  }
}
