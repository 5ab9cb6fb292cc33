package io.cutover.reconcile.telling;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Reports;
import io.cutover.reconcile.verdict.VerdictReport;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The page is well-formed XML too, so an XML parser tells what a browser would make of it. */
class VerdictHtmlTest {

  static Stream<VerdictReport> reports() {
    return Reports.all().values().stream();
  }

  private static Document parsed(VerdictReport report) {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(VerdictHtml.page(report))));
    } catch (Exception e) {
      throw new AssertionError("the page is not well-formed", e);
    }
  }

  private static List<Element> elements(Document page, String name) {
    NodeList nodes = page.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  private static List<Element> ofClass(Document page, String name, String type) {
    return elements(page, name).stream()
        .filter(element -> List.of(element.getAttribute("class").split(" ")).contains(type))
        .toList();
  }

  /** Every element with its attributes' names, in document order. */
  private static List<String> structure(Document page) {
    return elements(page, "*").stream()
        .map(
            element -> {
              StringBuilder told = new StringBuilder(element.getTagName());
              for (int i = 0; i < element.getAttributes().getLength(); i++) {
                told.append(' ').append(element.getAttributes().item(i).getNodeName());
              }
              return told.toString();
            })
        .toList();
  }

  @Property(tries = 150)
  void noTextFromDataBecomesMarkup(@ForAll String text, @ForAll String shard) {
    assertThat(structure(parsed(Reports.hostile(text, shard))))
        .isEqualTo(structure(parsed(Reports.hostile("tame", "shard"))));
  }

  @Property(tries = 300)
  void textIsShownAsItIs(@ForAll String text) {
    VerdictReport report = Reports.hostile(text, "shard");
    assertThat(ofClass(parsed(report), "p", "why").get(0).getTextContent())
        .isEqualTo(Words.visible(text));
  }

  @Test
  void whatWouldReorderOrHideTextIsSpelledOut() {
    String page = VerdictHtml.page(Reports.hostile(Reports.HOSTILE, "<b>"));
    assertThat(page).doesNotContain("\u202E", "\u001B", "\u0000", "<script", "<b>");
    assertThat(page).contains("&lt;script&gt;", "\\u202Eright to left\\u202C", "\\u001B[31mred");
  }

  @ParameterizedTest
  @MethodSource("reports")
  void pageNeedsNothingElse(VerdictReport report) {
    Document page = parsed(report);
    assertThat(structure(page))
        .noneMatch(
            element ->
                element.matches("(script|link|img|iframe|object|embed|base|form)\\b.*")
                    || element.matches(".* (src|href|srcset|on\\w+|style)\\b.*"));
    assertThat(elements(page, "style").get(0).getTextContent())
        .doesNotContain("@import", "http")
        .doesNotContainPattern("url\\((?!#)");
  }

  @ParameterizedTest
  @MethodSource("reports")
  void pageSaysItsLanguageTitleAndWidth(VerdictReport report) {
    Document page = parsed(report);
    assertThat(page.getDocumentElement().getAttribute("lang")).isEqualTo("en");
    assertThat(elements(page, "title").get(0).getTextContent()).startsWith(report.verdict() + ": ");
    assertThat(elements(page, "meta"))
        .anyMatch(meta -> meta.getAttribute("content").startsWith("width=device-width"));
  }

  @ParameterizedTest
  @MethodSource("reports")
  void everyTableHasACaptionAndHeadersWithAScope(VerdictReport report) {
    Document page = parsed(report);
    assertThat(elements(page, "caption")).hasSameSizeAs(elements(page, "table"));
    assertThat(elements(page, "th"))
        .allMatch(th -> Set.of("col", "row").contains(th.getAttribute("scope")));
  }

  @ParameterizedTest
  @MethodSource("reports")
  void idsAreUnique(VerdictReport report) {
    List<String> ids =
        elements(parsed(report), "*").stream()
            .map(element -> element.getAttribute("id"))
            .filter(id -> !id.isEmpty())
            .toList();
    assertThat(new HashSet<>(ids)).hasSameSizeAs(ids);
  }

  @ParameterizedTest
  @MethodSource("reports")
  void verdictStandsFirst(VerdictReport report) {
    Document page = parsed(report);
    Element banner = (Element) elements(page, "body").get(0).getFirstChild();
    assertThat(banner.getAttribute("class"))
        .isEqualTo("banner " + report.verdict().name().toLowerCase(Locale.ROOT));
    assertThat(elements(page, "h1").get(0).getTextContent()).isEqualTo(report.verdict().name());
    assertThat(banner.getTextContent()).contains("Exit code " + report.verdict().exitCode());
  }

  @ParameterizedTest
  @MethodSource("reports")
  void chartIsToldInWordsToo(VerdictReport report) {
    List<Element> charts = ofClass(parsed(report), "div", "chart");
    assertThat(charts).hasSize(report.windows().isEmpty() ? 0 : 2);
    assertThat(charts)
        .allMatch(chart -> chart.getAttribute("role").equals("img"))
        .allMatch(chart -> chart.getAttribute("aria-label").contains("differing"));
  }

  @Test
  void windowThatDiffersAmongTwoThousandIsMarkedOnEveryWidth() {
    Document page = parsed(Reports.manyWindows(2000));
    assertThat(ofClass(page, "rect", "differs")).hasSize(2);
    // With the two of the legends.
    assertThat(ofClass(page, "path", "differs")).hasSize(4);
    assertThat(ofClass(page, "rect", "kinesis")).hasSizeLessThan(300);
    assertThat(elements(page, "figcaption"))
        .map(Element::getTextContent)
        .allMatch(told -> told.matches("(?s).*One pair of bars stands for \\d+ windows.*"));
  }

  @Test
  void longTableSaysHowManyMoreAndWhereAllAre() {
    assertThat(VerdictHtml.page(Reports.mismatch()))
        .contains("And 30 more rows: all are in verdict.json.");
  }

  @Test
  void recordsThatDifferStandWithTheirOriginAndPlace() {
    String text = parsed(Reports.mismatch()).getDocumentElement().getTextContent();
    assertThat(text)
        .contains("altered: value, partition", "differences.jsonl (SHA-256 0123456789abcdef")
        .contains("49642017335817640133250108476410292843561834672498180098, member 3")
        .contains("2: 104,241; 2: 204,500");
    assertThat(Difference.Kind.values())
        .allSatisfy(kind -> assertThat(text).contains("1 " + Words.plain(kind)));
  }

  @Test
  void whatWasNotComparedClaimsNothing() {
    assertThat(parsed(Reports.inconclusive()).getDocumentElement().getTextContent())
        .contains("What was to be compared", "It did not come to reading.")
        .doesNotContain("agrees", "0 records of this copy", "holds a record");
  }
}
