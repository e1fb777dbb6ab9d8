/* Buttons that copy code, a graph that zooms, shadows where a box scrolls. Without JavaScript the book reads the same. */
(() => {
  "use strict";

  const copied = async (text) => {
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    const area = document.createElement("textarea"); // a book on a disk is no secure context
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  };

  const button = (label, action) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = label;
    made.addEventListener("click", action);
    return made;
  };

  const copyButtons = () => {
    for (const pre of document.querySelectorAll("div.highlight pre")) {
      const made = button("Copy", async () => {
        await copied(pre.textContent.trimEnd());
        made.textContent = "Copied";
        setTimeout(() => { made.textContent = "Copy"; }, 1500);
      });
      made.className = "copy";
      pre.parentElement.append(made);
    }
  };

  const graphs = () => {
    for (const box of document.querySelectorAll("div.claim-graph")) {
      const svg = box.querySelector("svg");
      const natural = svg.viewBox.baseVal.width;
      let scale = 1;
      const zoom = (to) => {
        const before = scale;
        scale = Math.min(4, Math.max(0.1, to));
        const x = (box.scrollLeft + box.clientWidth / 2) / before;
        const y = (box.scrollTop + box.clientHeight / 2) / before;
        svg.style.width = `${natural * scale}px`;
        box.scrollLeft = x * scale - box.clientWidth / 2;
        box.scrollTop = y * scale - box.clientHeight / 2;
      };
      const tools = document.createElement("div");
      tools.className = "graph-tools";
      tools.append(
        button("Larger", () => zoom(scale * 1.4)),
        button("Smaller", () => zoom(scale / 1.4)),
        button("Whole width", () => zoom(box.clientWidth / natural)),
        button("Full size", () => zoom(1)),
      );
      box.before(tools);
      box.addEventListener("wheel", (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        zoom(scale * (event.deltaY < 0 ? 1.15 : 1 / 1.15));
      }, { passive: false });
    }
  };

  const SCROLLS = "div.math, div.cell_output p, div.cell_output li, div.cell_output > a, div.output.text_html, dd > p, dd li > p, section.claim details p, pre, mjx-container[display], article table.docutils";
  const shadows = () => {
    const watch = (box) => {
      const look = () => {
        const hidden = box.scrollWidth - box.clientWidth;
        box.classList.toggle("more-right", hidden > 2 && box.scrollLeft < hidden - 2);
        box.classList.toggle("more-left", hidden > 2 && box.scrollLeft > 2);
        // what scrolls is reached by the keyboard, by itself or by something in it
        if (hidden > 2 && !box.matches("a, [tabindex]") && !box.querySelector("a, [tabindex]")) box.tabIndex = 0;
      };
      box.addEventListener("scroll", look, { passive: true });
      new ResizeObserver(look).observe(box);
      look();
    };
    document.querySelectorAll(SCROLLS).forEach(watch);
  };

  /* A formula of a card is set larger than text only as far as it then fits, and on paper small enough to fit. */
  const PAPER = 640; // CSS pixels between the margins of a card on A4
  const fit = () => {
    const measured = [...document.querySelectorAll("article mjx-container")].map((formula) => {
      const box = formula.closest("p, div, td, dd, li");
      const drawn = formula.querySelector("mjx-math");
      return {
        formula,
        usual: parseFloat(getComputedStyle(box).fontSize),
        now: parseFloat(getComputedStyle(formula).fontSize),
        over: box.clientWidth ? box.scrollWidth / box.clientWidth : 1,
        width: drawn ? drawn.getBoundingClientRect().width : 0,
      };
    });
    for (const { formula, usual, now, over, width } of measured) {
      if (over > 1.001 && now > usual) {
        formula.style.setProperty("--fitted", `${Math.max(usual, 0.99 * now / over)}px`);
        formula.classList.add("fitted");
      }
      const plain = width * usual / now;
      if (plain > PAPER || width > PAPER) {
        formula.style.setProperty("--on-paper", Math.min(1, PAPER / plain));
        formula.classList.add("wide");
      }
    }
  };

  /* What the search shows of a page: words, not the source of its formulas. */
  const summaries = () => {
    if (typeof Search === "undefined" || !Search.htmlToText) return;
    const whole = Search.htmlToText;
    Search.htmlToText = (source, anchor) => {
      const page = new DOMParser().parseFromString(source, "text/html");
      page.querySelectorAll(".math, p.chapter-tools").forEach((one) => one.replaceWith(" … "));
      return whole(page.documentElement.outerHTML, anchor).replace(/(?:…[\s;,:.]*){2,}/g, "… ");
    };
  };

  /* Results of one page stand together: the best one with its summary, the others as links below it. */
  const merged = () => {
    const list = document.querySelector("#search-results");
    if (!list) return;
    const first = new Map();
    const page = (link) => link.href.replace(/[?#].*/, "");
    const take = (item) => {
      const link = item.matches("ul.search > li") && item.querySelector("a[href]");
      if (!link) return;
      const held = first.get(page(link));
      if (!held || !held.isConnected) {
        first.set(page(link), item);
        return;
      }
      let others = held.querySelector("p.also");
      if (!others) {
        others = document.createElement("p");
        others.className = "also";
        others.append("also there: ");
        held.append(others);
      }
      if ([held.querySelector("a"), ...others.querySelectorAll("a")].some((one) => one.href === link.href)) {
        item.remove();
        return;
      }
      if (others.querySelector("a")) others.append(", ");
      others.append(link);
      item.remove();
    };
    new MutationObserver((changes) => {
      for (const change of changes) change.addedNodes.forEach((one) => { if (one.nodeType === 1) take(one); });
    }).observe(list, { childList: true, subtree: true });
  };

  /* Of a search for "eq. 14" not each "eq" of the page is marked: only words that tell something. */
  const marks = () => {
    for (const mark of document.querySelectorAll("span.highlighted")) {
      if (/^([a-z]{1,2}|[0-9.]+|claim|lemma|theorem)$/i.test(mark.textContent)) mark.replaceWith(mark.textContent);
    }
  };

  /* What a term or a claim means, beside the link to it. */
  const previews = () => {
    const box = document.createElement("div");
    box.className = "preview";
    box.id = "preview";
    box.setAttribute("role", "tooltip");
    box.hidden = true;
    document.body.append(box);
    let shown = null;
    const place = (link) => {
      const at = link.getBoundingClientRect();
      const room = document.documentElement.clientWidth;
      const left = Math.max(8, Math.min(at.left, room - box.offsetWidth - 8));
      const below = at.bottom + 6 + box.offsetHeight < window.innerHeight;
      const top = below ? at.bottom + 6 : Math.max(8, at.top - box.offsetHeight - 6);
      box.style.left = `${left + window.scrollX}px`;
      box.style.top = `${top + window.scrollY}px`;
    };
    // what is read already, or holds the link itself, needs no preview, which would cover it
    const inView = (link) => {
      const here = link.origin + link.pathname === window.location.origin + window.location.pathname;
      const target = here && link.hash && document.getElementById(decodeURIComponent(link.hash.slice(1)));
      if (!target) return false;
      const at = target.getBoundingClientRect();
      return target.contains(link) || (at.top >= 0 && at.bottom <= window.innerHeight);
    };
    let waiting = null;
    const soon = (link) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => show(link), 300); // a pointer that only passes opens nothing
    };
    const show = (link) => {
      if (shown === link || inView(link)) return;
      shown = link;
      box.innerHTML = link.dataset.preview; // written by the build, escaped there
      box.hidden = false;
      link.setAttribute("aria-describedby", "preview");
      place(link);
      if (window.MathJax && MathJax.typesetPromise) {
        MathJax.typesetPromise([box]).then(() => { if (shown === link) place(link); });
      }
    };
    const hide = () => {
      clearTimeout(waiting);
      if (!shown) return;
      shown.removeAttribute("aria-describedby");
      shown = null;
      box.hidden = true;
    };
    for (const link of document.querySelectorAll("a[data-preview]")) {
      link.addEventListener("mouseenter", () => soon(link));
      link.addEventListener("focus", () => show(link));
      link.addEventListener("mouseleave", hide);
      link.addEventListener("blur", hide);
    }
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  };

  const start = () => {
    summaries();
    copyButtons();
    graphs();
    previews();
    merged();
    setTimeout(marks, 0); // after the words are marked
    const typeset = window.MathJax && window.MathJax.startup && window.MathJax.startup.promise;
    if (typeset) typeset.then(() => { fit(); shadows(); });
    else window.addEventListener("load", () => setTimeout(() => { fit(); shadows(); }, 500));
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
