import { Injectable } from '@nestjs/common';
import { refuseChanged } from '../../../platform/event-store/aggregate.js';
import { Database, type Query } from '../../../platform/database/database.js';
import { Problem } from '../../../platform/http/problem.js';
import type { SignUpData } from '../accounts.api.js';
import type { Profile, ProfileChange } from '../profile.api.js';
import { CpfClaims, isCpfTaken } from '../auth/cpf-claims.service.js';
import { Secrets } from '../secrets/secrets.service.js';

/** The encrypted fields of a profile; all are optional for a student. */
type Told = Partial<Omit<SignUpData, 'nome'>> & {
  /** When the terms of use, in the version `termos`, were agreed to. */
  termos_em?: string;
};

interface AccountRow {
  email: string;
  nome: string;
  has_password: boolean;
  new_email: string | null;
  email_change_sent_at: Date | null;
  confirmed: string[];
}

const ACCOUNT = `select email, user_metadata ->> 'nome' as nome, password_hash is not null as has_password, new_email,
    email_change_sent_at,
    array(select kind from auth.mail_tokens where owner_id = u.id and used_at is not null
      and kind in ('email_change_current', 'email_change_new')) as confirmed
  from auth.users u where id = $1`;
const SEALED = 'select auth.profile_of($1) as sealed';
const LOCK = `select user_metadata ->> 'nome' as nome from auth.users where id = $1 for update`;
const RENAME = `update auth.users set user_metadata = user_metadata || jsonb_build_object('nome', $2::text), updated_at = now()
  where id = $1`;
/** What the trainers of a student are still to be told: the name before the first change that they were not told of. */
const TELL = `insert into auth.contact_changes as c (user_id, nome_antes, telefone)
  select $1, $2, $3 where exists (select from auth.memberships_of($1) m where m.role = 'aluno')
  on conflict (user_id) do update set nome_antes = coalesce(c.nome_antes, excluded.nome_antes),
    telefone = c.telefone or excluded.telefone, at = clock_timestamp()`;
const KEEP = 'select auth.keep_profile($1, $2, $3)';

/** Profiles: the name is stored with the user, the other fields encrypted. */
@Injectable()
export class Profiles {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly cpfClaims: CpfClaims,
  ) {}

  async show(userId: string): Promise<Profile> {
    const [[account], told] = await Promise.all([
      this.database.query<AccountRow>(ACCOUNT, [userId]),
      this.told(this.database.query, userId),
    ]);
    const { email, nome, has_password, new_email, email_change_sent_at, confirmed } = account!;
    return {
      nome,
      email,
      telefone: told.telefone ?? null,
      data_nascimento: told.data_nascimento ?? null,
      cpf: told.cpf ? masked(told.cpf) : null,
      tem_senha: has_password,
      troca_de_email:
        new_email === null
          ? null
          : {
              email: new_email,
              pedida_em: email_change_sent_at!.toISOString(),
              atual_confirmado: confirmed.includes('email_change_current'),
              novo_confirmado: confirmed.includes('email_change_new'),
            },
    };
  }

  /** The phone in E.164; null if unknown. */
  async phoneOf(userId: string): Promise<string | null> {
    return (await this.told(this.database.query, userId)).telefone ?? null;
  }

  /** Null if unknown. */
  async cpfOf(userId: string): Promise<string | null> {
    return (await this.told(this.database.query, userId)).cpf ?? null;
  }

  /**
   * The answer does not reveal whether another account has the CPF.
   * @throws Problem 409 if the user already has another CPF
   */
  async change(userId: string, changed: ProfileChange): Promise<void> {
    try {
      const mailIds = await this.database.transact((query) => this.keep(query, userId, changed));
      this.cpfClaims.wake(mailIds);
    } catch (error) {
      if (!isCpfTaken(error)) throw error;
      await this.change(userId, changed);
    }
  }

  /** Returns the ids of mails to be woken after the commit. */
  private async keep(
    query: Query,
    userId: string,
    { nome, telefone, data_nascimento, cpf: told, se_ainda }: ProfileChange,
  ): Promise<string[]> {
    const [account] = await query<{ nome: string }>(LOCK, [userId]);
    const before = await this.told(query, userId);
    const { telefone: phone = null, data_nascimento: born = null } = before;
    const current = { nome: account!.nome, telefone: phone, data_nascimento: born };
    refuseChanged('O perfil', current, se_ainda);
    if (told && before.cpf && told !== before.cpf) {
      const detail = 'O CPF da conta não pode ser trocado';
      throw new Problem('profile.cpf_fixed', { errors: [{ pointer: '/cpf', detail }] });
    }
    const cpf = before.cpf ?? told;
    const claim = cpf ? await this.cpfClaims.claim(query, userId, cpf, !before.cpf) : null;
    const kept: Told = {
      ...(cpf && { cpf }),
      ...(telefone && { telefone }),
      ...(data_nascimento && { data_nascimento }),
      ...(before.termos && { termos: before.termos, termos_em: before.termos_em }),
    };
    const sealed = this.secrets.seal(Buffer.from(JSON.stringify(kept)), userId);
    await query(RENAME, [userId, nome]);
    await query(KEEP, [userId, sealed, claim?.fingerprint ?? null]);
    const [named, called] = [nome !== current.nome, telefone !== phone];
    if (named || called) await query(TELL, [userId, named ? current.nome : null, called]);
    return claim?.mailIds ?? [];
  }

  private async told(query: Query, userId: string): Promise<Told> {
    const [profile] = await query<{ sealed: Buffer | null }>(SEALED, [userId]);
    if (!profile?.sealed) return {};
    return JSON.parse(this.secrets.open(profile.sealed, userId).toString('utf8')) as Told;
  }
}

/** Shows only the middle digits, by which the owner recognises the CPF. */
function masked(cpf: string): string {
  return `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`;
}
