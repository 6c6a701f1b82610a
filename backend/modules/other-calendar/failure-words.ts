/** The text of each failure for the trainer. */
const words: Readonly<Record<string, string>> = {
  endereco: 'o endereço não é público ou não existe',
  conexao: 'o servidor não respondeu',
  tempo: 'o servidor demorou mais de 30 segundos',
  tamanho: 'o calendário tem mais de 30 MB',
  redirecionamentos: 'o endereço redireciona vezes demais',
  formato: 'o endereço não é de um calendário (.ics)',
  incompleto: 'o calendário chegou incompleto',
  repeticoes: 'o calendário tem eventos ou repetições demais',
};

/** `falha`: the stored failure, a kind or `resposta 404`. */
export function failureWords(falha: string): string {
  const status = /^resposta (\d+)$/.exec(falha)?.[1];
  return status === undefined
    ? (words[falha] ?? 'houve um erro')
    : `o servidor respondeu com o erro ${status}`;
}
