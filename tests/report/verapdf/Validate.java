// Validates PDF files with the veraPDF core: java -cp ... Validate.java FLAVOUR[,FLAVOUR] FILE...
// Prints PASS or FAIL for each flavour and file, and each rule that failed with one example.
// Exits with 1 where anything failed.
import java.io.File;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.LogManager;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;
import org.verapdf.pdfa.validation.profiles.Profiles;
import org.verapdf.pdfa.validation.profiles.ValidationProfile;

public class Validate {
  static ValidationProfile profile(String flavour) throws Exception {
    String name = flavour.equals("ua1") ? "PDFUA-1" : "PDFA-" + flavour.toUpperCase();
    String path = "/org/verapdf/pdfa/validation/" + name + ".xml";
    try (InputStream stream = Validate.class.getResourceAsStream(path)) {
      return Profiles.profileFromXml(stream);
    }
  }

  static boolean isValid(String flavour, String file) throws Exception {
    try (PDFAParser parser =
            Foundries.defaultInstance()
                .createParser(new File(file), PDFAFlavour.byFlavourId(flavour));
        PDFAValidator validator =
            Foundries.defaultInstance().createValidator(profile(flavour), false)) {
      ValidationResult result = validator.validate(parser);
      System.out.println((result.isCompliant() ? "PASS " : "FAIL ") + flavour + " " + file);
      Map<String, String> failed = new TreeMap<>();
      for (TestAssertion assertion : result.getTestAssertions())
        if (assertion.getStatus() == TestAssertion.Status.FAILED)
          failed.putIfAbsent(
              assertion.getRuleId().getClause() + "-" + assertion.getRuleId().getTestNumber(),
              assertion.getMessage() + "\n      at " + assertion.getLocation().getContext());
      failed.forEach((rule, example) -> System.out.println("   " + rule + " " + example));
      return result.isCompliant();
    }
  }

  public static void main(String[] arguments) throws Exception {
    LogManager.getLogManager().reset();
    VeraGreenfieldFoundryProvider.initialise();
    boolean valid = true;
    for (int i = 1; i < arguments.length; i++)
      for (String flavour : arguments[0].split(","))
        valid &= isValid(flavour, arguments[i]);
    System.exit(valid ? 0 : 1);
  }
}
