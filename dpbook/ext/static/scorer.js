/* What Sphinx's search ranks first: the claim that is named, chapters before lists. */
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  // "eq. 14", "Lemma 4.2": as in the keys of claims, eq-14 and lemma-4.2
  asked: (new URLSearchParams(window.location.search).get("q") || "")
    .trim().toLowerCase().replace(/\.\s+|\s+/g, "-"),
  score: ([docname, title, anchor, descr, score]) => {
    const name = title.toLowerCase();
    const label = name.slice(name.indexOf(":") + 1);
    if (/^[a-z]+-[a-z]?\.?[0-9]/.test(Scorer.asked) && name.includes(":")) {
      if (label === Scorer.asked) return score + 200;
      if (label.startsWith(`${Scorer.asked}-`)) return score + 100;
    }
    if (label === Scorer.asked) return score + 8; // "gaussian mechanism" is a claim as well
    const chapter = /^chapters\/([0-9]+)/.exec(docname); // what comes first introduces the words
    return chapter ? score + 8 + (20 - chapter[1]) / 10 : score;
  },
};
