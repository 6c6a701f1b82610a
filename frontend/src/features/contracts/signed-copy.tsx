import { Button } from '@mantine/core';
import { useState } from 'react';
import { guardianRole } from '../../../../backend/modules/contracts/age.api.js';
import type { Signable } from '../../../../backend/modules/contracts/contracts.api.js';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import { todayIn } from '../../lib/dates.js';
import { saveFile } from '../../lib/save-file.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Quiet } from '../../ui/quiet.js';
import { attempt } from '../../ui/toast.js';
import { fetchPdf, type Reader } from './contracts.queries.js';
import classes from './contracts.module.css';

interface CopyProps {
  prova: NonNullable<Signable['prova']>;
  reader: Reader;
}

export function PdfButton({ prova, reader }: CopyProps) {
  const [isFetching, setFetching] = useState(false);
  const download = async () => {
    setFetching(true);
    await attempt(
      async () => saveFile(await fetchPdf(reader), `contrato-${prova.codigo}.pdf`),
      'Erro ao baixar o PDF',
    );
    setFetching(false);
  };
  return (
    <Button variant="default" disabled={!prova.tem_pdf} loading={isFetching} onClick={() => void download()}>
      {prova.tem_pdf ? 'Baixar PDF' : 'Preparando o PDF…'}
    </Button>
  );
}

/** What who signed takes along, by name. */
export function SignedCopy({ contract: { titulo }, prova, reader }: CopyProps & { contract: Signable }) {
  const zone = useZone();
  const guardian = prova.responsavel?.nome ?? null;
  const isBeside = guardianRole(prova.nascimento, todayIn(zone, new Date(prova.assinado_em))) === 'assiste';
  const first = firstName(guardian !== null && !isBeside ? guardian : (prova.nome ?? ''));
  const mail = new URLSearchParams({
    subject: `Contrato assinado: ${titulo}`,
    body: `Para abrir, entre na sua conta: ${location.origin}/aluno/contratos/${reader.id}`,
  });
  return (
    <Card>
      <div className={classes.copy}>
        <h2>{`Pronto, ${first}.`}</h2>
        <Quiet size="sm">Contrato assinado. Sua via:</Quiet>
        <div className={classes.ways}>
          <PdfButton prova={prova} reader={reader} />
          <Button component="a" href={`mailto:?${mail.toString().replaceAll('+', '%20')}`} variant="default">
            Mandar o link por e-mail
          </Button>
        </div>
      </div>
    </Card>
  );
}
