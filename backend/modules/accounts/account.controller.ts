import { Controller, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Database } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { Serves } from '../../platform/http/serve.js';
import { originOf } from '../../platform/ops/security-log.js';
import { deviceName } from './device.js';
import { accountApi, type SignIns } from './account.api.js';
import { Sessions } from './sessions/sessions.service.js';

const SHOWN = 50;
const LIST = `select id, user_agent, address, created_at, last_seen_at, ended_at, auth.is_live(s) as is_live
  from auth.sessions s where user_id = $1 order by auth.is_live(s) desc, created_at desc limit ${SHOWN}`;
const OWN = 'select from auth.sessions s where id = $1 and user_id = $2 and auth.is_live(s)';

interface SessionRow {
  id: string;
  user_agent: string | null;
  address: string | null;
  created_at: Date;
  last_seen_at: Date;
  ended_at: Date | null;
  is_live: boolean;
}

/** Routes about the own account, independent of any tenant. */
@Controller()
export class AccountController {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
  ) {}

  @Serves(accountApi.list)
  async list(@Req() request: FastifyRequest): Promise<SignIns> {
    const { userId, sessionId } = request.caller!;
    const rows = await this.database.lookUp<SessionRow>(LIST, [userId]);
    return {
      items: rows.map((row) => ({
        id: row.id,
        dispositivo: deviceName(row.user_agent),
        endereco: row.address,
        entrou_em: row.created_at.toISOString(),
        visto_em: row.last_seen_at.toISOString(),
        encerrada_em: row.ended_at?.toISOString() ?? null,
        atual: row.id === sessionId,
        ativa: row.is_live,
      })),
    };
  }

  @Serves(accountApi.end)
  async end(@Req() request: FastifyRequest, @Param('session') id: string) {
    const { userId, sessionId } = request.caller!;
    const own = await this.database.lookUp(OWN, [id, userId]);
    if (own.length === 0) throw new Problem('account.session_not_found');
    const reason = id === sessionId ? 'signed_out' : 'ended_on_another_device';
    await this.sessions.end({ userId, sessionId: id }, 'local', reason, originOf(request));
    return { answer: { id }, position: 0 };
  }
}
