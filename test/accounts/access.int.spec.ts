import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Post } from '@nestjs/common';
import * as z from 'zod/mini';
import { type CommandContext, Ctx } from '../../backend/platform/http/context.js';
import { Route } from '../../backend/platform/http/route.js';
import { startApp, type TestApp } from '../support/app.js';
import { connect, testDatabase, type TestDatabase } from '../support/database.js';
import { get, signUp } from './people.js';

const anything = z.looseObject({});

@Controller('doors')
class DoorsController {
  @Get('personal')
  @Route({ summary: 'For trainers', answer: anything })
  personal(@Ctx() context: CommandContext) {
    return context;
  }

  @Get('aluno')
  @Route({ summary: 'For students', roles: ['aluno'], answer: anything })
  aluno(@Ctx() context: CommandContext) {
    return context;
  }

  @Post('write')
  @Route({ summary: 'Writes', answer: anything })
  write(@Ctx() context: CommandContext) {
    return { answer: context.idempotency, position: 1 };
  }
}

@Module({ controllers: [DoorsController] })
class DoorsModule {}

let app: TestApp;
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  app = await startApp({ modules: [DoorsModule] });
});

async function trainer() {
  const { session, user } = await signUp(app.url);
  const rows = await database.query<{ tenant_id: string }>(
    'select tenant_id from memberships where user_id = $1',
    [user.id],
  );
  return { token: session.access_token, userId: user.id, tenantId: rows[0]!.tenant_id };
}

const enter = (door: string, token: string, tenant?: string) =>
  get(`${app.url}/api/v1/doors/${door}`, token, tenant === undefined ? {} : { 'Rende-Tenant': tenant });

const belong = (userId: string, tenantId: string, studentId: string) =>
  database.query(
    "insert into memberships (tenant_id, user_id, role, student_id) values ($1, $2, 'aluno', $3)",
    [tenantId, userId, studentId],
  );

describe('the guard', () => {
  it('gives a route the context of the only membership', async () => {
    const { token, userId, tenantId } = await trainer();

    expect((await enter('personal', token)).body).toMatchObject({
      tenantId,
      userId,
      role: 'personal',
      studentId: null,
      timezone: 'America/Sao_Paulo',
      device: expect.any(String),
    });
    expect((await enter('personal', token, tenantId.toUpperCase())).status).toBe(200);
  });

  it.each([() => trainer().then(({ tenantId }) => tenantId), randomUUID, () => 'nonsense', () => ''])(
    'answers the same 404 for the tenant of others and for none',
    async (choose) => {
      const { token } = await trainer();

      const { status, body } = await enter('personal', token, await choose());

      expect(status).toBe(404);
      expect(body).toMatchObject({ code: 'accounts.tenant_not_found', title: 'Conta não encontrada' });
    },
  );

  it('requires the choice of a tenant if there are several', async () => {
    const { token, userId, tenantId } = await trainer();
    const other = await trainer();
    const studentId = randomUUID();
    await belong(userId, other.tenantId, studentId);

    expect(await enter('personal', token)).toMatchObject({
      status: 400,
      body: { code: 'accounts.tenant_required' },
    });
    expect((await enter('personal', token, tenantId)).body).toMatchObject({ tenantId, role: 'personal' });
    expect((await enter('aluno', token, other.tenantId)).body).toMatchObject({
      tenantId: other.tenantId,
      role: 'aluno',
      studentId,
    });
    const { body } = await get(`${app.url}/api/v1/me`, token);
    expect(body.membership).toBeNull();
    expect(body.memberships).toHaveLength(2);
    const chosen = await get(`${app.url}/api/v1/me`, token, { 'Rende-Tenant': other.tenantId });
    expect(chosen.body.membership).toMatchObject({ tenant_id: other.tenantId, student_id: studentId });
  });

  it('checks roles; without a declaration only trainers pass', async () => {
    const { token, userId } = await trainer();
    const other = await trainer();
    await belong(userId, other.tenantId, randomUUID());

    for (const answer of [
      await enter('personal', token, other.tenantId),
      await enter('aluno', other.token),
    ]) {
      expect(answer).toMatchObject({
        status: 403,
        body: { code: 'accounts.access_denied', title: 'Acesso Negado' },
      });
    }
  });

  it('applies a changed role or an ended membership at once', async () => {
    const { token, userId } = await trainer();
    expect((await enter('personal', token)).status).toBe(200);

    await database.query("update memberships set role = 'aluno', student_id = user_id where user_id = $1", [
      userId,
    ]);
    expect((await enter('personal', token)).status).toBe(403);
    expect((await enter('aluno', token)).status).toBe(200);

    await database.query('delete from memberships where user_id = $1', [userId]);
    expect(await enter('aluno', token)).toMatchObject({
      status: 403,
      body: { code: 'accounts.access_denied' },
    });
    expect((await get(`${app.url}/api/v1/me`, token)).body.memberships).toEqual([]);
  });

  it('runs before validation, so that strangers learn nothing about the body', async () => {
    const response = await fetch(`${app.url}/api/v1/doors/write`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });

    expect(response.status).toBe(401);
  });
});

describe('the database', () => {
  it('shows the application only the tenant and memberships of the tenant that it has set', async () => {
    const { tenantId } = await trainer();
    const client = await connect(database.environment.DATABASE_URL);
    const count = async (table: string) => (await client.query(`select from ${table}`)).rowCount;

    expect([await count('tenants'), await count('memberships')]).toEqual([0, 0]);
    await client.query("select set_config('app.tenant', $1, false)", [tenantId]);
    expect([await count('tenants'), await count('memberships')]).toEqual([1, 1]);
    await expect(
      client.query(
        "insert into memberships (tenant_id, user_id, role) select $1, id, 'personal' from auth.users",
        [(await trainer()).tenantId],
      ),
    ).rejects.toThrow(/row-level security/);
    await expect(client.query('select from auth.profiles')).rejects.toThrow(/permission denied/);
  });

  it('returns only the tenants of the session’s own user', async () => {
    const [mine, theirs] = [await trainer(), await trainer()];
    const client = await connect(database.environment.DATABASE_URL);
    const lookUp = async (session: string, user: string) => {
      const { rows } = await client.query<{ memberships: { tenantId: string }[] }>(
        'select memberships from auth.session_memberships($1, $2)',
        [session, user],
      );
      return rows.map(({ memberships }) => memberships.map(({ tenantId }) => tenantId));
    };
    const { rows } = await client.query<{ id: string }>('select id from auth.sessions where user_id = $1', [
      mine.userId,
    ]);

    expect(await lookUp(rows[0]!.id, mine.userId)).toEqual([[mine.tenantId]]);
    expect(await lookUp(rows[0]!.id, theirs.userId)).toEqual([]);
    expect(await lookUp(randomUUID(), mine.userId)).toEqual([]);
  });
});
