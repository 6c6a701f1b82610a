import { Button } from '@mantine/core';
import { useState } from 'react';
import { guardianRole } from '../../../../backend/modules/contracts/age.api.js';
import { consentsOf, type Signable } from '../../../../backend/modules/contracts/contracts.api.js';
import { formatCpf } from '../../../../backend/modules/students/cpf.api.js';
import { formatDate, todayIn } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Facts } from '../../ui/facts.js';
import { attempt, toast } from '../../ui/toast.js';
import { useSigning, type Reader } from './contracts.queries.js';
import { Folded } from '../../ui/folded.js';
import classes from './contracts.module.css';
import { PdfButton } from './signed-copy.js';
import { formatPhone } from '../../../../backend/modules/students/phone-format.api.js';

/** An instant with its time zone: `26/11/2026, 7:05:09 GMT-3`. */
const exactMoment = (instant: string): string =>
  new Date(instant).toLocaleString('pt-BR', {
    ...{ day: '2-digit', month: '2-digit', year: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'shortOffset' },
  });

interface SignedProofProps {
  contract: Signable;
  reader: Reader;
}

/** Who signed, when and from where, and how to verify it. */
export function SignedProof({ contract: { prova, versao, estado }, reader }: SignedProofProps) {
  const { mutateAsync, isPending } = useSigning(reader);
  const zone = useZone();
  const [isAsking, setAsking] = useState(false);
  if (!prova) return null;
  const withdraw = () =>
    attempt(async () => {
      await mutateAsync({ to: 'withdraw' });
      toast.success('Desistência registrada', {
        description: 'Seu personal vê a desistência no histórico do contrato.',
      });
    }, 'Erro ao desistir do contrato');
  const guardian = prova.responsavel?.nome;
  const isBeside = guardianRole(prova.nascimento, todayIn(zone, new Date(prova.assinado_em))) === 'assiste';
  const evidence = (
    <>
      <Facts
        of={[
          [guardian && !isBeside ? 'Aluno' : 'Assinado por', prova.nome],
          ['CPF', prova.cpf && formatCpf(prova.cpf)],
          ['Telefone', prova.telefone && formatPhone(prova.telefone)],
          ['Nascimento', prova.nascimento && formatDate(prova.nascimento)],
          [
            isBeside ? 'Assinado também por' : 'Assinado por',
            guardian && `${guardian}, responsável (${prova.responsavel?.relacao})`,
          ],
          ['CPF do responsável', guardian && formatCpf(prova.responsavel?.cpf ?? '')],
          ['Código por e-mail', prova.codigo_confirmado_em && exactMoment(prova.codigo_confirmado_em)],
          ['Quando', exactMoment(prova.assinado_em)],
          ['Versão', versao],
          ['Endereço IP', prova.ip_address],
          ['Navegador', prova.navegador],
          ['SHA-256 do conteúdo', <span className={classes.mono}>{prova.conteudo_hash}</span>],
          ['Sal do SHA-256', prova.sal && <span className={classes.mono}>{prova.sal}</span>],
          [
            'Código de verificação',
            <a href={`/verificar/${prova.codigo}`} className={classes.mono}>
              {prova.codigo}
            </a>,
          ],
        ]}
      />
      <Declarations version={prova.consentimento} />
    </>
  );
  return (
    <Card>
      <div className={classes.stack}>
        {reader.as === 'student' ? <Folded title="Evidências da assinatura">{evidence}</Folded> : evidence}
        {(reader.as === 'trainer' || estado !== 'assinado') && <PdfButton prova={prova} reader={reader} />}
        {prova.desistir_ate && reader.as !== 'trainer' && (
          <>
            <p className={classes.note}>
              Você pode desistir até {exactMoment(prova.desistir_ate)} (CDC, art. 49).
            </p>
            {isAsking ? (
              <>
                <p role="status">
                  A assinatura deixa de valer. Para voltar atrás, seu personal envia o contrato de novo e você
                  assina outra vez.
                </p>
                <Button color="red" loading={isPending} onClick={() => void withdraw()}>
                  Confirmar a desistência
                </Button>
                <Button variant="subtle" onClick={() => setAsking(false)}>
                  Voltar
                </Button>
              </>
            ) : (
              <Button variant="default" onClick={() => setAsking(true)}>
                Desistir do contrato
              </Button>
            )}
          </>
        )}
      </div>
    </Card>
  );
}

/** The declarations that were agreed to, in the wording of their version. */
function Declarations({ version }: { version: string }) {
  const agreed = consentsOf(version);
  if (!agreed) return null;
  return (
    <Folded title={`Declarações aceitas (textos de ${formatDate(version)})`}>
      {[agreed.dados, agreed.termos, agreed.metodo].map((text) => (
        <p key={text} className={classes.note}>
          {text}
        </p>
      ))}
    </Folded>
  );
}
