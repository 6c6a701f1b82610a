import { Button, Loader } from '@mantine/core';
import '@mantine/core/styles/Loader.layer.css';
import { useState } from 'react';
import {
  type ExportState,
  type NeededProof,
  personProof,
} from '../../../../backend/modules/accounts/own-data/own-data.api.js';
import { formatMoment, todayIn } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { http } from '../../lib/http.js';
import { saveFile } from '../../lib/save-file.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Folded } from '../../ui/folded.js';
import { FormStack, SaveButton, submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt } from '../../ui/toast.js';
import { noProof, useAccountProof } from './account-proof.js';
import { DeleteAccount } from './delete-account.js';
import classes from './account.module.css';
import { useExport, useNewExport } from './own-data.queries.js';

type Copy = NonNullable<ExportState['exportacao']>;

/** "Seus dados": export of all data, with a trainer's archive of the business, and deletion of the account. */
export default function OwnData({ isTrainer = false }: { isTrainer?: boolean }) {
  const state = useExport();
  return (
    <>
      <Section title="Exportar">
        <Card className={classes.card}>
          <Quiet size="sm">
            Uma cópia de tudo o que o Rende guarda sobre você, em um arquivo ZIP que abre em qualquer
            aparelho.
          </Quiet>
          <Async of={state} skeleton={<Skeletons count={1} height={44} />}>
            {({ exportacao, prova }) => <Export copy={exportacao} needed={prova} />}
          </Async>
        </Card>
      </Section>
      {isTrainer && <WholeArchive publicKey={state.data?.chave_publica} />}
      <Section title="Excluir conta">
        <Card className={classes.card}>
          <Quiet size="sm">Antes de confirmar, você vê o que será apagado e o que será mantido.</Quiet>
          <DeleteAccount />
        </Card>
      </Section>
    </>
  );
}

const VERIFIER = 'verificar-arquivo.mjs';

/** What the archive in the copy is for. */
function WholeArchive({ publicKey }: { publicKey: string | undefined }) {
  return (
    <Section title="Arquivo completo">
      <Card className={classes.card}>
        <Quiet size="sm">
          Na pasta do seu negócio, a cópia traz o arquivo-completo.jsonl: tudo o que foi registrado, em ordem
          e assinado. Outro Rende continua dele, com os mesmos saldos, meses, recibos e contratos.
        </Quiet>
        <Folded title="O que vai e o que não vai">
          <p>
            <b>Vai</b> o que é do negócio: alunos, agenda, créditos, dinheiro, recibos, contratos assinados e
            o histórico, com quem fez e quando.
          </p>
          <p>
            <b>Não vão</b> sua senha, as contas dos alunos, as chaves do seu banco e o que foi apagado a
            pedido de alguém.
          </p>
        </Folded>
        <Folded title="Como conferir sem o Rende">
          <p>
            O verificador vem na mesma pasta e precisa só do Node 20 ou mais novo. No terminal, na pasta do
            arquivo:
          </p>
          <code>node {VERIFIER} arquivo-completo.jsonl</code>
          <p>
            <b>Prova</b> que nada foi mudado, retirado, trocado de lugar ou cortado desde que este Rende fez o
            arquivo. <b>Não prova</b> que o que foi registrado é verdade.
          </p>
          {publicKey !== undefined && (
            <>
              <p>Compare a chave pública que ele mostra com a deste Rende:</p>
              <code>{publicKey}</code>
            </>
          )}
          <Button component="a" href={`/${VERIFIER}`} download={VERIFIER} variant="default">
            Baixar só o verificador
          </Button>
        </Folded>
        <Folded title="Como levar para outro Rende">
          <p>
            Entregue o arquivo e a chave pública a quem opera o outro Rende. Ele importa tudo de uma vez, se o
            seu negócio ainda não está lá.
          </p>
          <p>
            Depois, você entra por “Esqueci minha senha”, convida de novo os alunos que tinham conta, liga de
            novo o seu banco e reenvia os links.
          </p>
        </Folded>
      </Card>
    </Section>
  );
}

function Export({ copy, needed }: { copy: Copy | null; needed: NeededProof }) {
  const [asking, setAsking] = useState(false);
  const isReady = copy?.situacao === 'pronta';
  if (copy?.situacao === 'preparando')
    return (
      <p className={classes.state} role="status">
        <Loader size={18} />
        Preparando a cópia…
      </p>
    );
  return (
    <>
      {isReady && <ReadyCopy copy={copy} />}
      {copy?.situacao === 'falhou' && <p role="alert">Não foi possível preparar a cópia. Tente de novo.</p>}
      <Button variant="default" onClick={() => setAsking(true)}>
        {isReady ? 'Pedir uma cópia nova' : 'Exportar meus dados'}
      </Button>
      <Sheet
        opened={asking}
        onClose={() => setAsking(false)}
        title="Exportar meus dados"
        beginsAtField
        withoutAddress
      >
        <AskForCopy needed={needed} onDone={() => setAsking(false)} />
      </Sheet>
    </>
  );
}

/** The export requires a proof of identity, because an unlocked screen alone must not give away all data. */
function AskForCopy({ needed, onDone }: { needed: NeededProof; onDone: () => void }) {
  const { toProof, fields } = useAccountProof(needed);
  const { mutateAsync } = useNewExport();
  const form = useBodyForm({ initialValues: noProof, schema: personProof, toBody: toProof });
  return (
    <FormStack
      form={form}
      onSubmit={submitting(form, {
        failure: 'Erro ao pedir a cópia',
        save: async (proof) => {
          await mutateAsync(proof);
          onDone();
        },
      })}
    >
      <Quiet size="sm">Confirme que é você: a cópia traz todos os seus dados.</Quiet>
      {fields(form)}
      <SheetActions>
        <SaveButton busy={form.submitting}>Pedir a cópia</SaveButton>
      </SheetActions>
    </FormStack>
  );
}

function ReadyCopy({ copy: { id, tamanho, expira_em } }: { copy: Copy }) {
  const zone = useZone();
  const [busy, setBusy] = useState(false);

  const fetchFile = async () => {
    setBusy(true);
    await attempt(async () => {
      const name = `rende-${todayIn(zone)}.zip`;
      saveFile(await http.file(`/account/exports/${id}/file`), name);
    }, 'Erro ao baixar a cópia');
    setBusy(false);
  };

  return (
    <>
      <p className={classes.state} role="status">
        <Icon name="check" />
        Sua cópia está pronta
      </p>
      <Quiet size="sm">
        {sizeOf(tamanho!)} · disponível até {formatMoment(expira_em!, zone)}
      </Quiet>
      <Button loading={busy} onClick={() => void fetchFile()} leftSection={<Icon name="drop" size={18} />}>
        Baixar
      </Button>
    </>
  );
}

function sizeOf(bytes: number): string {
  const [amount, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${amount.toLocaleString('pt-BR', { maximumFractionDigits: 1 })} ${unit}`;
}
