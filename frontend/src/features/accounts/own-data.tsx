import { Button, Loader } from '@mantine/core';
import '@mantine/core/styles/Loader.layer.css';
import { useState } from 'react';
import type { ExportState } from '../../../../backend/modules/accounts/own-data/own-data.api.js';
import { formatMoment } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt } from '../../ui/toast.js';
import { DeleteAccount } from './delete-account.js';
import classes from './own-data.module.css';
import { useExport, useNewExport } from './own-data.queries.js';

type Copy = NonNullable<ExportState['exportacao']>;

/** "Seus dados": a copy of everything to take along, and the end of the account. */
export default function OwnData() {
  const state = useExport();
  return (
    <>
      <Section title="Exportar">
        <Card className={classes.card}>
          <p className={classes.note}>
            Uma cópia de tudo o que o Rende guarda sobre você, em um arquivo ZIP que abre em qualquer
            aparelho.
          </p>
          <Async of={state} skeleton={<Skeletons count={1} height={44} />}>
            {({ exportacao }) => <Export copy={exportacao} />}
          </Async>
        </Card>
      </Section>
      <Section title="Excluir conta">
        <Card className={classes.card}>
          <p className={classes.note}>Antes de confirmar, você vê o que some e o que fica.</p>
          <DeleteAccount />
        </Card>
      </Section>
    </>
  );
}

function Export({ copy }: { copy: Copy | null }) {
  const { mutateAsync, isPending } = useNewExport();
  const ask = () => attempt(() => mutateAsync(), 'Erro ao pedir a cópia');
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
      <Button variant="default" loading={isPending} onClick={() => void ask()}>
        {isReady ? 'Pedir uma cópia nova' : 'Exportar meus dados'}
      </Button>
    </>
  );
}

function ReadyCopy({ copy: { id, tamanho, expira_em } }: { copy: Copy }) {
  const zone = useZone();
  const [busy, setBusy] = useState(false);

  const fetchFile = async () => {
    setBusy(true);
    await attempt(async () => save(await http.file(`/account/exports/${id}/file`)), 'Erro ao baixar a cópia');
    setBusy(false);
  };

  return (
    <>
      <p className={classes.state} role="status">
        <Icon name="check" />
        Sua cópia está pronta
      </p>
      <p className={classes.note}>
        {sizeOf(tamanho!)} · disponível até {formatMoment(expira_em!, zone)}
      </p>
      <Button loading={busy} onClick={() => void fetchFile()} leftSection={<Icon name="drop" size={18} />}>
        Baixar
      </Button>
    </>
  );
}

/** The browser's own way to keep a file. */
function save(file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = `rende-${new Date().toISOString().slice(0, 10)}.zip`;
  link.click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function sizeOf(bytes: number): string {
  const [amount, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${amount.toLocaleString('pt-BR', { maximumFractionDigits: 1 })} ${unit}`;
}
