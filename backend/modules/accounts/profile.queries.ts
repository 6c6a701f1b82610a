import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Profiles } from './users/profiles.service.js';

/** The phone of a user's account in E.164; null if unknown. */
export class FindPhone extends Query<string | null> {
  constructor(readonly userId: string) {
    super();
  }
}

/** The CPF of a user's account; null if unknown. */
export class FindCpf extends Query<string | null> {
  constructor(readonly userId: string) {
    super();
  }
}

@QueryHandler(FindCpf)
export class FindCpfHandler implements IQueryHandler<FindCpf> {
  constructor(private readonly profiles: Profiles) {}

  execute({ userId }: FindCpf): Promise<string | null> {
    return this.profiles.cpfOf(userId);
  }
}

@QueryHandler(FindPhone)
export class FindPhoneHandler implements IQueryHandler<FindPhone> {
  constructor(private readonly profiles: Profiles) {}

  execute({ userId }: FindPhone): Promise<string | null> {
    return this.profiles.phoneOf(userId);
  }
}
