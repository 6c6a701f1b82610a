import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Profiles } from './users/profiles.service.js';

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
